//! Points that are set aside for a later period, because a clock was ahead and was put back.

use super::*;

#[test]
fn points_of_a_period_that_was_set_aside_are_ranked_in_the_order_of_their_writes() {
    let aggregates = [Aggregate::Sum, Aggregate::Last, Aggregate::Max];
    let rules = [Ties::First, Ties::Last].into_iter().flat_map(|ties| aggregates.map(|rule| (ties, rule)));
    for ((ties, aggregate), many) in rules.flat_map(|rules| [(rules, false), (rules, true)]) {
        let mut board = board(Schema { ties, aggregate, ..plain() }, &[spec("day:2", 30)]);
        if many {
            crowd(&mut board, &at(0));
        }
        // The clock is days ahead, and goes back. Then it is far beyond that day.
        let both = [(Decimal::whole(0), &b"kim"[..]), (Decimal::whole(0), b"eve")];
        board.add_many(&at(6 * DAY), &both).unwrap();
        board.advance(MONDAY + 3 * DAY);
        let mut again = loaded(&saved(&board));
        for board in [&mut board, &mut again] {
            add(board, &at(20 * DAY), 1, b"lea").unwrap();
            let expected =
                if ties == Ties::First { [("kim", 0), ("eve", 0)] } else { [("eve", 0), ("kim", 0)] };
            for day in [6, 7] {
                assert_eq!(
                    order(board, "day:2", When::Back(20 - day)),
                    lines(&expected),
                    "{ties} {aggregate:?}"
                );
            }
        }
        assert!(saved(&board) == saved(&again), "{ties} {aggregate:?}");
    }
}
