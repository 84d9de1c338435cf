//! Commands that only the gateway carries out. A server refuses them.

use super::{OverParts, rows};
use crate::command::{Most, Worst};
use crate::handlers::catalog;
use crate::keys::{Access, first};
use crate::options::boards::FORCE;
use crate::refusal::Code;

rows! {
    Parts: catalog::by_gateway => {
        name: c"LB.PARTS",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[],
        list: "",
        summary: "Tells what is in each part of a board, and what is wrong with it",
        complexity: "O(k), k: parts",
        worst: Worst { call: "LB.PARTS all", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::ByGateway,
        makes: "",
        shapes: &[("", "[[part:int, key:text, slot:int, node:text?, incarnation:big?, revision:big?, members:int?, memory:int?, idle:int?, problem:text?]...]?")],
        errors: &[],
        reply: "An array, for each part: its number, its key, the slot of its key, the address of its node, its incarnation, the number of its \
                rules, members, memory (bytes), idle (ms since its last write; nil before the first), and what is wrong with it, or nil. Nil for a key \
                without a board over parts. The gateway carries it out; a server refuses it.",
        notes: "If the root is lost, the parts that are left are listed. LB.REPAIR mends what is wrong.",
    }
    Repair: catalog::by_gateway => {
        name: c"LB.REPAIR",
        keys: &[first(Access::Alter)],
        fast: false,
        arguments: "key",
        options: &[&FORCE],
        list: "",
        summary: "Makes a board over parts whole again",
        complexity: "O(k), k: parts; the rules of parts change as by LB.ALTER",
        worst: Worst { call: "LB.REPAIR all", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::ByGateway,
        makes: "",
        shapes: &[("", "[text...]")],
        errors: &[],
        reply: "An array of texts: what was done. It is empty if nothing was wrong. The gateway carries it out; a server refuses it.",
        notes: "Finishes an LB.CREATE, LB.ALTER or DEL that broke off, makes a lost root again from its parts, and gives all parts the latest \
                rules. If a part is lost, its members are gone: the error says which part, and FORCE makes the part again, empty. FORCE also \
                deletes parts of an earlier board with this name.",
    }
    Reshard: catalog::reshard => {
        name: c"LB.RESHARD",
        keys: &[first(Access::Alter)],
        fast: false,
        arguments: "key parts",
        options: &[],
        list: "",
        summary: "Doubles or halves the parts of a board, or makes parts of a plain board, while it is used",
        complexity: "O(n log n), n: members; each part takes no writes while it is split or merged",
        worst: Worst { call: "LB.RESHARD all 8", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::ByGateway,
        makes: "",
        shapes: &[("", "[parts:int, wanted:int]")],
        errors: &[Code::NoBoard],
        reply: "An array: how many parts there are now, and how many are wanted. If they are equal, the board has them. Else TIMEOUT has passed, or the gateway \
                was stopped: repeat the command. The gateway carries it out; a server refuses it.",
        notes: "The number of parts is a power of two; 1 is a plain board. A plain board gets two parts first, and is read meanwhile, but takes no writes while it is copied. The gateway splits one part after the other, or merges two parts after two others, \
                and looks at TIMEOUT (10 s) in between. Until the board has the wanted parts, \
                LB.ALTER is refused. Reads and writes work all along: see [Growth](cluster.md#growth) and [Fewer parts](cluster.md#fewer-parts).",
    }
}
