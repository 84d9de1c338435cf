//! Tests of a campaign, from its options to its voters.

use leaderboard_client::{
    Applied, Quota, VoteOutcome, VotingOption, create, mvote, option, options, quota, score, vote, voters,
};

use crate::client::with_each;

#[test]
fn a_vote_counts_or_is_held_back() {
    with_each(|client| {
        client.get(create("poll").clock("EVENT").limit(&["daily", "voter", "3", "day"]));
        let ann = vote("poll", 2, "ann").by("v").id("one").at(0);
        let counted =
            |applied| Applied { score: Some("2".into()), rank: Some(1), applied, before: None, within: None };
        assert_eq!(client.get(ann.clone()), VoteOutcome::Accepted(vec![counted(true)]));
        assert_eq!(client.get(ann), VoteOutcome::Accepted(vec![counted(false)]));
        let over = mvote("poll", [(1, "ann"), (1, "bob")]).by("v").at(0);
        let day = 86_400_000;
        assert_eq!(client.get(over), VoteOutcome::HeldBack { rule: "daily".to_owned(), retry_after_ms: day });
        let used = Quota { rule: "daily".to_owned(), used: 2, max: 3, ms: day };
        assert_eq!(client.get(quota("poll").by("v").at(0)), [used]);
        assert_eq!(client.get(voters("poll").member("ann")), 1);
    });
}

#[test]
fn options_come_in_pages() {
    with_each(|client| {
        client.get(create("poll").shown().declared());
        client.get(option("poll", "ann").weight(3).initial(10).meta("Ann"));
        client.get(option("poll", "bob"));
        client.get(vote("poll", 2, "ann").by("v"));
        let page = client.get(options("poll", 0).count(1));
        let ann = VotingOption {
            member: "ann".into(),
            weight: 3,
            initial: 10,
            meta: Some(b"Ann".to_vec()),
            real: "2".into(),
            shown: "16".into(),
            voters: 1,
        };
        assert_eq!(page.options, [ann]);
        let last = client.get(options("poll", page.cursor));
        assert_eq!(
            (last.cursor, last.options[0].member.to_str(), &last.options[0].meta),
            (0, Some("bob"), &None)
        );
        assert_eq!(client.get(score("poll", "ann").real()), Some("2".into()));
    });
}
