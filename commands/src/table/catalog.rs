//! The command with which a gateway keeps the root and the parts of a board together.

use leaderboard_core::Error;

use super::{Operation, OverParts, forms, rows};
use crate::argument::Argument;
use crate::call::{Call, Handled};
use crate::command::{Most, Worst};
use crate::handlers::catalog::{self, Asked};
use crate::handlers::{growth, shrink};
use crate::host::Host;
use crate::keys::{Access, first};
use crate::options::boards::{
    AGGREGATE, ATTEMPTS, BOUNDS, CARRY, CLOCK, CLOSES, DECAY, DECIMALS, DECLARED, DEDUP, HOURS, KEEP, LEVELS,
    NOTIFYTOP, OPENS, ORDER, ORIGIN, RETAIN, SHOWN, TIES, TZ, VIEWS, WEEKSTART,
};
use crate::options::catalog::{TOKEN, TOLD};
use crate::options::writing::NOW;
use crate::refusal::Code;

/// Serves a call of one form.
type Handler<H> = fn(&Call<H>, Asked) -> Handled;

forms! {
    "WHOLE": catalog::whole => ("incarnation revision", &[&TOLD])
    "ENDING": catalog::ending => ("incarnation", &[])
    "DROP": catalog::drop => ("incarnation", &[&TOKEN])
    "GROW": growth::grow => ("incarnation revision parts", &[])
    "GROWN": growth::grown => ("incarnation parts", &[])
    "SPLIT": growth::split => ("incarnation token number parts ms", &[&NOW])
    "SPREAD": growth::spread => ("incarnation token ms", &[&NOW])
    "ROOT": growth::root => ("incarnation token", &[])
    "HALVE": growth::halve => ("incarnation token number parts", &[])
    "OPEN": growth::open => ("incarnation token", &[])
    "SHRINK": shrink::shrink => ("incarnation revision parts", &[])
    "SHRUNK": shrink::shrunk => ("incarnation parts", &[])
    "HOLD": shrink::hold_root => ("incarnation token ms", &[&NOW])
    "SAVED": shrink::saved => ("incarnation token", &[])
    "GIVE": shrink::give => ("incarnation token", &[])
    "MERGE": shrink::merge => ("incarnation token number parts board", &[])
    "PLAIN": shrink::plain => ("incarnation token board board", &[])
    "REBIRTH": catalog::rebirth => ("incarnation new", &[])
    "PRIZES": catalog::prizes => ("incarnation [root]", &[])
    "RULES": catalog::rules => ("incarnation revision", &[&VIEWS, &ORDER, &AGGREGATE, &TIES, &DECIMALS, &LEVELS, &TZ, &WEEKSTART, &ORIGIN, &CLOCK, &RETAIN, &CARRY, &DECAY, &DEDUP, &SHOWN, &DECLARED, &OPENS, &CLOSES, &HOURS, &ATTEMPTS, &BOUNDS, &KEEP, &NOTIFYTOP, &NOW])
}

/// Carries out `LB.CATALOG key operation ...`.
fn catalog(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let word = args.argument()?;
    let unknown = || {
        Error::NotOneOf(
            "operation",
            "WHOLE, ENDING, DROP, GROW, GROWN, SPLIT, SPREAD, ROOT, HALVE, OPEN, SHRINK, SHRUNK, HOLD, SAVED, GIVE, MERGE, PLAIN, \
             REBIRTH, PRIZES, RULES",
        )
    };
    let (form, handler) = form(&word).ok_or_else(unknown)?;
    handler(call, Asked::new(key, args, form.options))
}

rows! {
    Catalog: catalog, OPERATIONS => {
        name: c"LB.CATALOG",
        keys: &[first(Access::Alter)],
        fast: false,
        arguments: "key",
        options: &[],
        list: "",
        summary: "Changes the state of a board over parts",
        complexity: "O(1); RULES like LB.ALTER; HALVE, SAVED, MERGE and PLAIN O(m log m), m: members; PRIZES O(w), w: winners",
        worst: Worst { call: "LB.CATALOG split HALVE 7 9 0 4", most: Most::NanosPerMember(1000) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[("", "ok"), ("DROP", "int"), ("SAVED", "text"), ("PRIZES", "text | ok")],
        errors: &[Code::NoBoard, Code::NoPart, Code::Stale],
        reply: "OK. DROP: 1, or 0 for an absent key. SAVED: the saved part. PRIZES: the saved root, or OK with `root`. The error `STALE` if the key has another incarnation, revision, state or token.",
        notes: "For gateways; see [Boards over many nodes](commands.md#boards-over-many-nodes). The root and all parts \
                of a board have the same incarnation, a random number; LB.CREATE takes it. The revision is the number of the rules: each LB.ALTER \
                of the root adds 1. WHOLE: all parts have the rules with this revision; with TOLD, the root forgets \
                the request of LB.CREATE or LB.ALTER. ENDING: the board is being deleted. DROP deletes a part of this incarnation, \
                or the root of a board that is being deleted; with TOKEN, only a part that this attempt to split or merge a part holds. GROW: the root \
                begins to grow to twice its parts; GROWN: it has this number of parts now. SPLIT: the part takes no writes (`TRYAGAIN`) for this time, unless \
                the token holds it already: then for this time from now on. HALVE: the part removes the members that do not belong to this half of it. The half with the even number takes \
                writes then; the half with the odd number is a copy in its own key, which takes writes after OPEN. SPREAD: a plain board takes no writes for this time, as with SPLIT; HALVE makes \
                copies of it parts 0 and 1 of 2, and ROOT makes it their root, if it has taken no writes meanwhile. SHRINK: \
                the root has half of its parts from now on, and the parts are to be merged; with 1, the root of two parts is to become a plain board. SHRUNK: all parts are merged. SAVED tells what a part has that SPLIT holds. GIVE: the \
                part takes no writes until OPEN, however long that is. MERGE: the part with an even number of this number of parts, which SPLIT holds, gets what the part behind it has, and takes writes for both. HOLD is SPLIT for a root \
                that is to become a plain board, and PLAIN makes it the plain board of both parts. REBIRTH gives a part that comes from a backup the incarnation of its new board. PRIZES tells what the root has, with its prizes, for a backup; with `root`, a root that is being restored gets the prizes of the backup. RULES gives a root or part these rules, with \
                the options of LB.CREATE; what LB.ALTER cannot change must be as it is. The data of views that stay is kept.",
    }
}
