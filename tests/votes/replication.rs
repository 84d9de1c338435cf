//! Tests of the commands that replicas get for votes: they contain the voter and the time. Votes that were held back
//! are not sent.

use leaderboard_testkit::Flavor;

use crate::replication::stream::Watched;

#[test]
fn votes_are_sent_with_who_cast_them_and_when() {
    for flavor in Flavor::all() {
        Watched::start(flavor).sends(&[
            ("LB.VOTE poll 1 ann", &["LB.VOTE poll 1 ann AT now"]),
            ("lb.vote poll 1 ann id one", &["LB.VOTE poll 1 ann ID one AT now"]),
            ("LB.VOTE poll 1 ann ID one", &[]),
            ("LB.VOTE poll 2 ann ID one", &[]),
            ("LB.VOTE poll 1 ann by v", &["LB.VOTE poll 1 ann BY v AT now"]),
            (
                "LB.VOTE poll 1 ann TAG ip x AT 1000 tag os y ID two BY v",
                &["LB.VOTE poll 1 ann ID two BY v TAG ip x TAG os y AT 1000 NOW now"],
            ),
            ("LB.VOTE poll 1 ann AT 1000", &["LB.VOTE poll 1 ann AT 1000 NOW now"]),
            ("LB.MVOTE poll 1 ann 2 bob", &["LB.MVOTE poll AT now 1 ann 2 bob"]),
            (
                "LB.MVOTE poll BY v ID three TAG ip x AT 5 1 ann 2 bob",
                &["LB.MVOTE poll ID three BY v TAG ip x AT 5 NOW now 1 ann 2 bob"],
            ),
            ("LB.MVOTE poll BY v ID three TAG ip x AT 5 1 ann 2 bob", &[]),
            (
                r"LB.VOTE poll 1 \x00 BY \xff TAG \x01 \x02",
                &[r"LB.VOTE poll 1 \x00 BY \xff TAG \x01 \x02 AT now"],
            ),
            ("LB.OPTION poll ann", &["LB.OPTION poll ann NOW now"]),
            ("LB.OPTION poll ann", &[]),
            ("LB.CREATE shown SHOWN", &["LB.CREATE shown SHOWN"]),
            ("LB.OPTION shown ann weight 2 INITIAL 5", &["LB.OPTION shown ann weight 2 INITIAL 5 NOW now"]),
            ("LB.OPTION shown ann INITIAL 5 WEIGHT 2", &[]),
            ("LB.OPTION shown ann INITIAL 6", &["LB.OPTION shown ann INITIAL 6 NOW now"]),
            ("LB.QUOTA poll BY v", &[]),
            ("LB.OPTIONS poll 0", &[]),
            ("LB.VOTERS poll", &[]),
        ]);
    }
}

#[test]
fn what_is_held_back_is_not_sent() {
    for flavor in Flavor::all() {
        Watched::start(flavor).sends(&[
            (
                "LB.CREATE poll CLOCK EVENT CLOSES 9000 LIMIT r voter 2 second",
                &["LB.CREATE poll CLOCK EVENT CLOSES 9000 LIMIT r voter 2 second"],
            ),
            ("LB.VOTE poll 2 ann BY v AT 1000 ID one", &["LB.VOTE poll 2 ann BY v AT 1000 ID one"]),
            ("LB.VOTE poll 1 ann BY v AT 1000", &[]),
            ("LB.VOTE poll 1 ann BY v AT 1000 ID two", &[]),
            ("LB.MVOTE poll BY v AT 1999 ID two 1 ann", &[]),
            ("LB.MVOTE poll BY w AT 2000 2 ann 1 bob", &[]),
            ("LB.VOTE poll 1 ann BY v AT 9000", &[]),
            ("LB.VOTE poll 1 ann BY v AT 2500 ID two", &["LB.VOTE poll 1 ann BY v AT 2500 ID two"]),
            ("LB.VOTE poll 1 ann BY w AT 1000", &["LB.VOTE poll 1 ann BY w AT 1000 NOW 2500"]),
            ("LB.VOTE poll 2 ann BY w AT 1000", &[]),
            ("LB.VOTE poll 1 ann AT 2500", &[]),
            ("LB.OPTION poll bob", &["LB.OPTION poll bob NOW 2500"]),
            (
                "LB.ALTER poll UNLIMIT r LIMIT s member 5 all OPENS 0",
                &["LB.ALTER poll UNLIMIT r LIMIT s member 5 all OPENS 0 NOW 2500"],
            ),
        ]);
    }
}
