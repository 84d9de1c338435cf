//! The texts of errors, as they are sent to clients.

use std::fmt;

use super::Error;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotANumber(arg) => write!(f, "{arg} is not a decimal number"),
            Self::NotAnInteger(arg) => write!(f, "{arg} is not a whole number"),
            Self::OutOfRange(arg) => write!(f, "{arg} is out of range"),
            Self::NotAShare(arg, range) => write!(f, "{arg} must be {range}"),
            Self::TooManyDigits(arg, 0) => {
                write!(f, "{arg} must be a whole number (DECIMALS 0)")
            }
            Self::TooManyDigits(arg, kept) => {
                write!(f, "{arg} has more digits than are kept (DECIMALS {kept})")
            }
            Self::TooFine(arg, most) => write!(f, "{arg} has more than {most} digits after the point"),
            Self::Overflow => write!(f, "the score would be out of range"),
            Self::NotLevels(arg, 1) => write!(f, "{arg} must be a whole number (LEVELS)"),
            Self::NotLevels(arg, count) => {
                write!(f, "{arg} must be {count} whole numbers joined by / (LEVELS)")
            }
            Self::LevelOutOfRange(arg, level) => write!(f, "{arg}: level {level} is out of range"),
            Self::LevelOverflow(level) => write!(f, "level {level} would be out of range"),
            Self::BadLevel(word) => write!(
                f,
                "LEVELS {word} must be name:DESC:max or name:ASC:max: letters, digits, _ or -, and max from 1"
            ),
            Self::RepeatedLevel(level) => write!(f, "LEVELS names {level} twice"),
            Self::LevelsTooLarge => {
                write!(f, "LEVELS are too large: the product of all 2*max+1 must fit 64 bits")
            }
            Self::NotWithLevels(what) => write!(f, "{what} is not possible with LEVELS"),
            Self::Length(arg, max) => write!(f, "{arg} must have 1 to {max} bytes"),
            Self::TooLong(arg, max) => write!(f, "{arg} must have at most {max} bytes"),
            Self::NotOneOf(arg, words) => write!(f, "{arg} must be one of {words}"),
            Self::BadLimit(rule, fault) => write!(f, "LIMIT {rule}: {fault}"),
            Self::BadWindow(number, most) => {
                write!(f, "n of a rolling view must be 2 to {most}, not {number}")
            }
            Self::EmptyBounds => write!(f, "BOUNDS: no score is between min and max"),
            Self::ZeroRank(arg) => {
                write!(f, "{arg} must be a rank: 1 is the top, negative ranks count from the end")
            }
            Self::UnknownOption(word) => write!(f, "unknown option {word}"),
            Self::RepeatedOption(name) => write!(f, "option {name} is given twice"),
            Self::MissingValue(name) => write!(f, "option {name} needs a value"),
            Self::IncompleteOption(name, value) => write!(f, "option {name} is incomplete: {name} {value}"),
            Self::Conflict(a, b) => write!(f, "options {a} and {b} exclude each other"),
            Self::IncompleteList(items) => write!(f, "the list of {items} is incomplete"),
            Self::MissingAt => write!(f, "AT is needed with CLOCK EVENT"),
            Self::AtInFuture => write!(f, "AT is too far in the future (max-future-ms)"),
            Self::AtBeforePeriod => write!(f, "AT lies before the period in which the score is set"),
            Self::NoSuchView(option, name) => write!(f, "{option} {name} is not a view of this board"),
            Self::BadView(option, name, most) => write!(
                f,
                "{option} {name} is not a view: all, or minute, hour, day, week, month, year, <seconds>s with 1 to {most}, perhaps with :n"
            ),
            Self::BadEdit(option, word) => write!(f, "{option} {word} must begin with + or -"),
            Self::NotAPair(option, word) => write!(f, "{option} {word} must be view=value"),
            Self::BadDimension(word) => write!(
                f,
                "SEGMENTS {word} must be a name, or name:SUM, name:COUNT or name:BEST: letters, digits, _ or -"
            ),
            Self::RepeatedDimension(name) => write!(f, "SEGMENTS names {name} twice"),
            Self::NoSuchDimension(name) => write!(f, "{name} is not a dimension of this board (SEGMENTS)"),
            Self::RepeatedSegment(name) => write!(f, "SEGMENT {name} is given twice"),
            Self::RepeatedView(name) => write!(f, "view {name} is named twice"),
            Self::TooMany(option, most, what) => write!(f, "{option} names more than {most} {what}"),
            Self::NoView => write!(f, "VIEWS leaves the board without a view"),
            Self::NoRollingView => write!(f, "WINDOW is needed: the board has no rolling view"),
            Self::BadPeriod(word) => write!(f, "PERIOD {word} is not the name of a period here"),
            Self::BadHours(word) => {
                write!(f, "HOURS {word} is not a window such as mon-fri=18:00-20:00")
            }
            Self::BadZone(word) => write!(f, "TZ {word} is not a time zone: an IANA name, or +hh:mm"),
            Self::TooManyHidden(most) => write!(f, "a board can hide at most {most} members"),
            Self::MaxBelowMin => write!(f, "max must not be less than min"),
            Self::NoKeep(name) => {
                write!(f, "KEEP cannot keep the best of view {name}: it is rolling or carries over")
            }
            Self::NoCarry(name) => {
                write!(f, "CARRY {name} is not possible: only views of one period carry over")
            }
            Self::NoDecay(name) => {
                write!(f, "DECAY {name} is not possible: only views of one period decay")
            }
            Self::CarryAndDecay(name) => {
                write!(f, "DECAY {name} is not possible: the view has CARRY")
            }
            Self::NotWithShown(what) => write!(f, "{what} is not possible with SHOWN"),
            Self::NeedsSum(what) => write!(f, "{what} needs AGGREGATE SUM"),
            Self::NoRetain => write!(f, "RETAIN names all, which has no past periods"),
            Self::ClosesBeforeOpens => write!(f, "CLOSES must be after OPENS"),
            Self::NoSuchRule(name) => write!(f, "UNLIMIT {name} is not a rule of this board"),
            Self::RepeatedTag(name) => write!(f, "TAG {name} is given twice"),
            Self::NotACandidate => write!(f, "member is not an option of this board (DECLARED)"),
            Self::NeedsShown(what) => write!(f, "{what} needs a board with SHOWN"),
            Self::Exists => write!(f, "the key exists already"),
            Self::BoardExists => write!(f, "the board exists already"),
            Self::NoSuchBoard => write!(f, "the board does not exist"),
            Self::Loading => write!(f, "the key is being restored, and takes no commands until that is done"),
            Self::RequestReused => write!(f, "request id was used for a different write"),
            Self::Corrupt(what) => write!(f, "bad data: {what}"),
            Self::Full => write!(f, "the key is full"),
            Self::BadScope(word) => {
                write!(f, "{word} is not a scope: member, voter or tag names, each once, joined by +")
            }
            Self::BadName(what, word) => {
                write!(f, "{word} is not the name of a {what}: no spaces or control characters, no + in tags")
            }
            Self::ReservedRule(name) => write!(f, "LIMIT {name} has the name of a rule of the board"),
            Self::HeldBack(rule, wait) => {
                let wait = wait.map_or_else(|| "-1".to_owned(), |wait| wait.to_string());
                write!(f, "{} {wait}", rule.name())
            }
            Self::BadPlace(entry) => {
                write!(
                    f,
                    "{entry} is not a place and its prize, such as 1=gold, 2-10=silver, 1-25%=badge or >=100=badge (PRIZES)"
                )
            }
            Self::BadPrize(prize, most) => {
                write!(f, "a prize has 1 to {most} bytes, and no comma: {prize} (PRIZES)")
            }
            Self::NoPrizes => f.write_str("PRIZES needs a view with periods: all never ends"),
            Self::RepeatedTable(view) => write!(f, "PRIZES names {view} twice"),
            Self::HasPrizes(what, name) => write!(f, "the {what} {name} has PRIZES: end them first"),
            Self::NeedsDeclared(what) => write!(f, "{what} needs a board with DECLARED"),
            Self::LeavesInitial => write!(f, "member has INITIAL votes: set INITIAL 0 before it leaves"),
            Self::BeforeClock(option) => write!(f, "{option} is before the board's now"),
            Self::NeedsEvents(what) => write!(f, "{what} needs a board with CLOCK EVENT"),
            Self::RepeatedRule(name) => write!(f, "LIMIT {name} is given twice"),
            Self::RepeatedBonus(tag, value) => write!(f, "BONUS {tag} {value} is given twice"),
            Self::TooManyRules(most) => {
                write!(f, "LIMIT leaves the board with more than {most} rules")
            }
            Self::TooManyBonuses(rule, most) => write!(f, "LIMIT {rule} has more than {most} bonuses"),
            Self::MissingVoter(rule) => write!(f, "BY is needed: the rule {rule} counts by voter"),
            Self::MissingTag(tag, rule) => write!(f, "TAG {tag} is needed: the rule {rule} counts by it"),
            Self::MissingOption(option) => write!(f, "{option} is needed"),
            Self::BadUnit(option, word) => {
                write!(f, "{option} {word} must be minute, hour, day, week, month, year or <seconds>s")
            }
            Self::NoSuchLeague => write!(f, "the league does not exist"),
            Self::AmountsForTiers(option, tiers) => {
                write!(f, "{option} must name one amount for each of the {tiers} tiers")
            }
            Self::BadTierName(word) => {
                write!(
                    f,
                    "TIERS {word} is not the name of a tier: 1 to 64 bytes without spaces, control characters and commas"
                )
            }
            Self::RepeatedTier(name) => write!(f, "TIERS names {name} twice"),
            Self::NoSuchTier(name) => write!(f, "tier {name} is not a tier of this league"),
            Self::NoTierBeyond("PROMOTE", name) => {
                write!(f, "PROMOTE must be 0 for the highest tier {name}")
            }
            Self::NoTierBeyond(option, name) => write!(f, "{option} must be 0 for the lowest tier {name}"),
            Self::NoSuchGroup(groups) => write!(f, "group does not exist: the tier has {groups}"),
            Self::NoSuchCounter => write!(f, "the counter does not exist"),
            Self::BadPrecision(word, most) => {
                write!(f, "precision {word} must be whole seconds, 1 to {most}")
            }
            Self::RepeatedPrecision(seconds) => write!(f, "precision {seconds} is named twice"),
            Self::PrecisionKept(seconds) => write!(f, "precision {seconds} is kept by this counter already"),
            Self::NoSuchPrecision(seconds) => write!(f, "precision {seconds} is not kept by this counter"),
            Self::NoPrecision => write!(f, "PRECISIONS leaves the counter without a precision"),
            Self::CountOverflow => write!(f, "the count would be out of range"),
            Self::TooManyDigitsOf(member, kept) => {
                write!(f, "the score of {member} has more digits than are kept (DECIMALS {kept})")
            }
            Self::ScoreOutOfRange(member) => write!(f, "the score of {member} is out of range"),
            Self::BadMember(member, most) => write!(f, "member {member} must have 1 to {most} bytes"),
            Self::NotEmpty => write!(f, "the board has members: MERGE adds to them, NX leaves them alone"),
            Self::BadCursor(command) => write!(f, "CURSOR is not a cursor of {command}"),
            Self::SameKey(argument, other) => write!(f, "{argument} must be another key than {other}"),
            Self::ValuesForKeys(option, keys) => {
                write!(f, "{option} must name one value for each of the {keys} keys")
            }
            Self::BadPartsOrOne(option, most) => write!(f, "{option} must be a power of two, 1 to {most}"),
            Self::BadParts(option, most) => write!(f, "{option} must be a power of two, 2 to {most}"),
            Self::BadPartList(argument) => {
                write!(f, "{argument} must be ascending numbers of parts, such as 0-20,43")
            }
            Self::NotWithParts(what) => write!(f, "{what} is not possible with parts"),
            Self::Spread(parts) => write!(f, "spread over {parts} parts: use a gateway or LB.INFO"),
            Self::WrongPart(part) => write!(f, "member belongs to part {part}"),
            Self::NoPart(1) => write!(f, "the key holds no whole board"),
            Self::NoPart(parts) => write!(f, "the key is no part of {parts}"),
            Self::NotAPart => write!(f, "the key is no part of a board"),
            Self::NotARoot => write!(f, "the key is not the root of a board over parts"),
            Self::Stale(what) => write!(f, "{what}: the root or part has another one now"),
            Self::Growing => write!(f, "the board is growing: repeat LB.RESHARD, then alter it"),
            Self::Shrinking => write!(f, "the board is shrinking: repeat LB.RESHARD, then alter it"),
            Self::Held => {
                write!(f, "the board or part is being split or merged, and takes writes again soon")
            }
            Self::NeedsParts(option) => write!(f, "{option} works only for the root or a part of a board"),
            Self::OtherRules => write!(f, "the rules differ in what cannot be altered"),
            Self::BoundKey => write!(f, "the key holds the root or a part of a board, and has to keep it"),
            Self::OnlyGateway => write!(f, "the gateway carries this command out, not a server"),
            Self::TaggedRoot => write!(f, "PARTS: the name of the key may not contain {{"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_the_argument() {
        assert_eq!(Error::NotANumber("points").to_string(), "points is not a decimal number");
        assert_eq!(Error::Length("member", 512).to_string(), "member must have 1 to 512 bytes");
        assert_eq!(
            Error::TooManyDigits("points", 2).to_string(),
            "points has more digits than are kept (DECIMALS 2)"
        );
        assert_eq!(Error::RepeatedOption("AT").to_string(), "option AT is given twice");
    }
}
