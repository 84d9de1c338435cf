//! Tests of a league over two weeks.

use leaderboard_client::{Applied, Claim, Joined, LastPeriod, LeagueStanding, Outcome, Row, Zone, leagues};

use crate::client::{Client, with_each};

const WEEK: i64 = 7 * 86_400_000;

fn create(client: &mut Client) {
    let league = leagues::create("words").tiers("bronze,silver").promote("1,0").demote("0,1").cycle("week");
    client.get(league.clock("EVENT").group(5).reward(1));
}

#[test]
fn a_member_joins_plays_and_moves_up() {
    with_each(|client| {
        create(client);
        let joined = client.get(leagues::join("words", "ann").meta("Ann").at(0));
        let due = Joined {
            tier: Some("bronze".to_owned()),
            group: Some(1),
            rank: Some(1),
            members: Some(1),
            joined: true,
            waiting: false,
            last: None,
        };
        assert_eq!(joined, due);
        let added = client.get(leagues::add("words", 5, "ann").id("one").at(1));
        assert_eq!(
            added,
            Applied { score: Some("5".into()), rank: Some(1), applied: true, before: None, within: None }
        );
        let standing = LeagueStanding {
            tier: "bronze".to_owned(),
            group: 1,
            rank: 1,
            members: 1,
            score: "5".into(),
            zone: Zone::Promote,
        };
        assert_eq!(client.get(leagues::standing("words", "ann")), Some(standing));
        assert_eq!(client.get(leagues::standing("words", "none")), None);
        let last = LastPeriod {
            period: "1970-W01".to_owned(),
            tier: "bronze".to_owned(),
            group: 1,
            rank: 1,
            members: 1,
            score: "5".into(),
            outcome: Outcome::Promoted,
            reward: 1,
        };
        let again = client.get(leagues::join("words", "ann").at(WEEK));
        assert_eq!((again.tier.as_deref(), again.last), (Some("silver"), Some(last)));
    });
}

#[test]
fn a_late_member_waits() {
    with_each(|client| {
        create(client);
        client.get(leagues::alter("words").join_until("0.5"));
        client.get(leagues::join("words", "ann").at(0));
        let late = client.get(leagues::join("words", "bob").at(3 * 86_400_000));
        assert_eq!((late.tier, late.members, late.joined, late.waiting), (None, None, false, true));
    });
}

#[test]
fn groups_are_listed_and_looked_after() {
    with_each(|client| {
        create(client);
        client.get(leagues::add("words", 5, "ann").at(0));
        client.get(leagues::add("words", 3, "bob").at(0));
        client.get(leagues::setmeta("words", "bob", "Bob"));
        let line = |rank, member: &str, score: &str, meta: Option<&str>| Row {
            rank,
            member: member.into(),
            score: score.into(),
            meta: meta.map(|meta| meta.as_bytes().to_vec()),
        };
        let due = [line(1, "ann", "5", None), line(2, "bob", "3", Some("Bob"))];
        assert_eq!(client.get(leagues::top("words", "bob")), due);
        assert_eq!(client.get(leagues::group("words", "bronze", 1).count(1)), due[..1]);
        client.get(leagues::tier("words", "cat", "silver"));
        client.get(leagues::add("words", 1, "cat").at(0));
        assert_eq!(client.get(leagues::rem("words", ["ann", "none"])), 1);
        let info = client.get(leagues::info("words")).expect("a league");
        assert_eq!((info.numbers("members"), info.numbers("groups")), (Some(&[1, 1][..]), Some(&[1, 1][..])));
        assert_eq!((info.text("cycle"), info.number("reward")), (Some("week"), Some(1)));
        assert_eq!(client.get(leagues::info("absent")), None);
    });
}

#[test]
fn the_first_of_each_group_claim_their_prizes() {
    with_each(|client| {
        let league =
            leagues::create("words").tiers("bronze,silver").promote("1,0").demote("0,1").cycle("week");
        client.get(league.clock("EVENT").group(2).prizes("bronze", "1=gems"));
        for (points, member) in [(5, "ann"), (7, "bob"), (3, "eve")] {
            client.get(leagues::add("words", points, member).at(1));
        }
        let rows = client.get(leagues::top("words", "ann").with_zone());
        assert_eq!(rows.iter().map(|row| row.zone).collect::<Vec<_>>(), [Zone::Promote, Zone::Stay]);
        client.get(leagues::join("words", "joe").at(WEEK));
        let page = client.get(leagues::prizes("words", 0).count(1));
        let winner = &page.winners[0];
        assert_eq!((winner.tier.as_str(), winner.group, winner.rank), ("bronze", 1, 1));
        assert_eq!((winner.claimed, page.cursor > 0), (None, true));
        let claim = |id: &str| leagues::claim("words", "bob").id(id);
        let claimed = |is_first| Some(Claim { prize: "gems".into(), rank: 1, is_first, value: None });
        assert_eq!(client.get(claim("x")), claimed(true));
        assert_eq!(client.get(claim("x")), claimed(true));
        assert_eq!(client.get(claim("y")), claimed(false));
        assert_eq!(client.get(leagues::claim("words", "ann")), None);
        let left = client.get(leagues::prizes("words", 0).unclaimed()).winners;
        assert_eq!(left.iter().map(|winner| winner.group).collect::<Vec<_>>(), [2]);
        let info = client.get(leagues::info("words").period("-1")).expect("a league");
        assert_eq!(info.numbers("members"), Some(&[3, 0][..]));
    });
}
