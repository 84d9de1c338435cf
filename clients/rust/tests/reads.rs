//! Tests that read rankings.

use leaderboard_client::{
    AmongRow, Bucket, Neighbour, RankScore, Ranks, Row, Score, Stats, add, among, around, beside, count,
    count_between, create, histogram, madd, mscore, mstanding, quantile, range, range_by_score, rank, score,
    setmeta, standing, stats, top,
};

use crate::client::{Client, with_each};

fn play(client: &mut Client) {
    client.get(madd("game", [(40, "ann"), (30, "bob"), (30, "cat"), (10, "dan")]));
    client.get(add("game", 0, "ann").meta("Ann"));
}

/// Makes a row without a text.
fn row(rank: u64, member: &str, score: &str) -> Row {
    Row { rank, member: member.into(), score: score.into(), meta: None }
}

#[test]
fn lines_have_rank_member_and_score() {
    with_each(|client| {
        play(client);
        let meta = Some(b"Ann".to_vec());
        assert_eq!(
            client.get(top("game", 2).with_meta()),
            [Row { meta, ..row(1, "ann", "40") }, row(2, "bob", "30")]
        );
        assert_eq!(client.get(top("game", 1).offset(2).ranks(Ranks::Competition)), [row(2, "cat", "30")]);
        assert_eq!(client.get(range("game", -1, -1).view("all")), [row(4, "dan", "10")]);
        assert_eq!(client.get(range("game", 1, 1).rev()), [row(1, "dan", "10")]);
        assert_eq!(client.get(range_by_score("game", "(10", 30).count(1)), [row(2, "bob", "30")]);
        assert_eq!(client.get(around("game", "ann", 1)), [row(1, "ann", "40"), row(2, "bob", "30")]);
        let behind = beside("game", "cat").above(0).below(1);
        assert_eq!(client.get(behind), [row(3, "cat", "30"), row(4, "dan", "10")]);
        assert_eq!(client.get(around("game", "dan", 1).fill()).len(), 3);
        assert_eq!(client.get(top("absent", 3)), []);
    });
}

#[test]
fn a_page_in_one_string_has_the_same_rows() {
    with_each(|client| {
        client.get(create("game").decimals(2).clock("EVENT"));
        client.get(madd("game", [("40", "ann"), ("-30.5", "bob"), ("30.25", "cat"), ("0", "dan")]).at(5));
        client.get(setmeta("game", "ann", "Ann"));
        let pages = [
            top("game", 9),
            top("game", 2).offset(1),
            range("game", -2, -1),
            range_by_score("game", 0, 35).rev(),
            around("game", "cat", 1),
            beside("game", "cat").above(0).below(5),
            top("game", 9).offset(9),
            top("absent", 9),
        ];
        for page in pages {
            let rows = client.get(page.clone());
            let packed = client.get(page.clone().packed());
            assert!(packed.rows.iter().all(|row| row.moment == 5), "{page}");
            assert_eq!(packed.into_rows(2), rows, "{page}");
            let with_meta = client.get(page.clone().packed_with_meta());
            assert_eq!(with_meta.into_rows(2), client.get(page.with_meta()));
        }
        let [bob] = &client.get(top("game", 1).rev().packed()).rows[..] else { panic!("no row") };
        assert_eq!((bob.units, bob.score(2).as_str(), bob.score(0).as_str()), (-3050, "-30.5", "-3050"));
        let error = client.ask(&top("game", 1).ranks(Ranks::Dense).packed()).expect_err("no such ranks");
        assert!(error.to_string().contains("PACKED and RANKS DENSE exclude each other"), "{error}");
    });
}

#[test]
fn one_or_several_members_are_asked_for() {
    with_each(|client| {
        play(client);
        assert_eq!((client.get(rank("game", "dan")), client.get(rank("game", "none"))), (Some(4), None));
        assert_eq!(client.get(score("game", "dan")).as_ref().and_then(Score::to_i64), Some(10));
        assert_eq!(client.get(score("game", "none")), None);
        let ann = RankScore { rank: 1, score: "40".into(), meta: Some(b"Ann".to_vec()) };
        assert_eq!(client.get(mscore("game", ["none", "ann"]).with_meta()), [None, Some(ann)]);
        let among = client.get(among("game", ["dan", "cat", "none"]));
        let line = |place, member: &str, score: &str, rank| AmongRow {
            place,
            member: member.into(),
            score: score.into(),
            rank,
            meta: None,
        };
        assert_eq!(among, [line(1, "cat", "30", 3), line(2, "dan", "10", 4)]);
    });
}

#[test]
fn a_standing_tells_everything() {
    with_each(|client| {
        client.get(create("days").views("day").clock("EVENT"));
        client.get(madd("days", [(5, "ann"), (7, "bob")]).at(1_000));
        client.get(madd("days", [(6, "bob"), (9, "ann")]).at(86_400_000));
        let ann = client.get(standing("days", "ann").with_meta()).expect("a member");
        let behind = Neighbour { member: "bob".into(), score: "6".into(), gap: "3".into() };
        assert_eq!((ann.rank, ann.score.as_str(), ann.members), (1, "9", 2));
        assert_eq!((ann.percentile.as_str(), ann.at, ann.meta), ("100.00", Some(86_400_000), None));
        assert_eq!((ann.ahead, ann.behind), (None, Some(behind)));
        assert_eq!((ann.previous, ann.change), (Some((2, "5".into())), Some(1)));
        let several = client.get(mstanding("days", ["none", "bob"]).period("-1"));
        let bob = several[1].as_ref().expect("a member");
        assert_eq!((several[0].is_none(), bob.rank, bob.at, bob.previous.is_none()), (true, 1, None, true));
        assert_eq!(client.get(standing("absent", "ann")), None);
    });
}

#[test]
fn scores_are_counted_and_described() {
    with_each(|client| {
        play(client);
        assert_eq!((client.get(count("game")), client.get(count_between("game", "(10", "+inf"))), (4, 3));
        let text = |text: &str| Some(Score::from(text));
        let due = Stats {
            members: 4,
            sum: text("110"),
            mean: Some("27.500000".to_owned()),
            min: text("10"),
            max: text("40"),
            median: text("30"),
        };
        assert_eq!(client.get(stats("game")), Some(due));
        assert_eq!(client.get(stats("absent")), None);
        assert_eq!(client.get(quantile("game", ["0", "1"])), [text("10"), text("40")]);
        assert_eq!(client.get(quantile("absent", ["0.5"])), [None]);
        let bucket = |from: &str, to: &str, members| Bucket { from: from.into(), to: to.into(), members };
        assert_eq!(client.get(histogram("game", 0, 40, 2)), [bucket("0", "20", 1), bucket("20", "40", 3)]);
    });
}
