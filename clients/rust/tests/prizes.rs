//! Tests of prizes and claims.

use leaderboard_client::{Claim, Kind, Winner, add, alter, claim, create, kind, prizes};

use crate::client::with_each;

#[test]
fn a_prize_is_claimed_once() {
    with_each(|client| {
        let made = create("cup").views("day").clock("EVENT").segments("c");
        client.get(made.prizes("day", "1=gold,2=silver").prizes_per("day", "1=king", "c").prize_days(9));
        for (points, member) in [(5, "ann"), (7, "bob")] {
            client.get(add("cup", points, member).at(1).segment("c", "fr"));
        }
        assert_eq!(client.get(claim("cup", "bob")), None, "the day is not over");
        client.get(alter("cup").move_clock(86_400_000));
        let page = client.get(prizes("cup", 0).count(1));
        let gold = Winner {
            rank: 1,
            member: "bob".into(),
            score: "7".into(),
            prize: "gold".into(),
            claimed: None,
            value: None,
        };
        assert_eq!((page.winners, page.cursor), (vec![gold], 1));
        let claimed = |is_first| Some(Claim { prize: "gold".into(), rank: 1, is_first, value: None });
        assert_eq!(client.get(claim("cup", "bob").id("x")), claimed(true));
        assert_eq!(client.get(claim("cup", "bob").id("x")), claimed(true));
        assert_eq!(client.get(claim("cup", "bob")), claimed(false));
        let error = client.ask(&claim("cup", "ann").id("x")).expect_err("an id that was used");
        assert_eq!(kind(&error), Kind::RequestReused);
        let left = client.get(prizes("cup", 0).unclaimed()).winners;
        assert_eq!(left.iter().map(|winner| winner.rank).collect::<Vec<_>>(), [2]);
        let king = client.get(claim("cup", "bob").per("c").period("-1")).expect("a prize");
        assert_eq!(king.value, Some("fr".into()));
    });
}
