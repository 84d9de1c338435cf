//! Every error that a client can get, as data. The texts that are sent to clients are in `texts.rs` alone. Bytes that a
//! user sent are never copied unchanged into a text: see [`Quoted`].

mod limit_fault;
mod quoted;
mod texts;

use crate::board_rule::BoardRule;
use crate::short_name::ShortName;

pub use limit_fault::LimitFault;
pub use quoted::Quoted;

/// An error of a refused command. A command that returns an error has changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// Not a plain decimal number: an optional minus, digits, and optionally a point between digits.
    NotANumber(&'static str),
    /// Not a whole number, or less than the allowed minimum.
    NotAnInteger(&'static str),
    /// A number outside the range that the argument allows.
    OutOfRange(&'static str),
    /// A share outside its range. The fields: the argument and the range.
    NotAShare(&'static str, &'static str),
    /// More digits after the point than the board keeps.
    TooManyDigits(&'static str, u8),
    /// More digits after the point than the argument may have on any board: the argument and the greatest number of
    /// digits.
    TooFine(&'static str, u8),
    /// A score would leave the range of a signed 64-bit count of smallest units.
    Overflow,
    /// Not a score of levels: the argument, and how many levels there are.
    NotLevels(&'static str, usize),
    /// A level of an amount is beyond its maximum: the argument and the level.
    LevelOutOfRange(&'static str, ShortName),
    /// A level of a score would be beyond its maximum.
    LevelOverflow(ShortName),
    /// A word that does not declare a level.
    BadLevel(Quoted),
    /// A list names the same level twice.
    RepeatedLevel(ShortName),
    /// The product of `2·max + 1` of all levels is more than 64 bits.
    LevelsTooLarge,
    /// A feature that boards with levels do not have.
    NotWithLevels(&'static str),
    /// A text that is empty or too long: the argument and the longest length in bytes.
    Length(&'static str, usize),
    /// A text that may be empty, but is too long: the argument and the longest length in bytes.
    TooLong(&'static str, usize),
    /// A word that is not one of a fixed set: the argument and the words.
    NotOneOf(&'static str, &'static str),
    /// A `LIMIT` with this name cannot be used.
    BadLimit(Quoted, LimitFault),
    /// Not a number of periods of a rolling view. The greatest number.
    BadWindow(Quoted, u16),
    /// `BOUNDS` between which no score is.
    EmptyBounds,
    /// A rank of 0: ranks begin at 1, and negative ranks count from the end.
    ZeroRank(&'static str),
    /// A word in the position of an option that is not an option of the command.
    UnknownOption(Quoted),
    /// A command has the same option twice.
    RepeatedOption(&'static str),
    /// An option at the end of the command, whose value is missing.
    MissingValue(&'static str),
    /// An option at the end of the command without a part of its value. The fields: the option and the syntax of the value.
    IncompleteOption(&'static str, &'static str),
    /// Two options exclude each other in a command.
    Conflict(&'static str, &'static str),
    /// A list without items, or with an incomplete group of items.
    IncompleteList(&'static str),
    /// `AT` is needed on a board with `CLOCK EVENT`.
    MissingAt,
    /// `AT` is further in the future than the server allows.
    AtInFuture,
    /// A write at a moment of an earlier period would set a score in a view's current period.
    AtBeforePeriod,
    /// A view that the board does not have. The fields: the option and the view.
    NoSuchView(&'static str, Quoted),
    /// A word that is not a valid name of a view. The fields: the option, the word, and the longest period in seconds.
    BadView(&'static str, Quoted, u32),
    /// A word in a list of changes that begins with neither `+` nor `-`. The fields: the option and the word.
    BadEdit(&'static str, Quoted),
    /// A word that is not a pair of a view and its value. The fields: the option and the word.
    NotAPair(&'static str, Quoted),
    /// A word that does not declare a dimension of segments.
    BadDimension(Quoted),
    /// A list names the same dimension twice, or adds a dimension that the board has.
    RepeatedDimension(ShortName),
    /// A dimension that the board does not have.
    NoSuchDimension(Quoted),
    /// A command names values of the same dimension twice.
    RepeatedSegment(ShortName),
    /// A list names the same view twice.
    RepeatedView(Quoted),
    /// An option lists too many names. The fields: the option, the maximum, and the kind of names.
    TooMany(&'static str, usize, &'static str),
    /// A board must have a view.
    NoView,
    /// The board has no rolling view.
    NoRollingView,
    /// A word that is not a period of the view.
    BadPeriod(Quoted),
    /// A word that is not a time zone.
    BadZone(Quoted),
    /// A word that is not a window of opening hours.
    BadHours(Quoted),
    /// More hidden members than a board can have. The field: the maximum.
    TooManyHidden(usize),
    /// A histogram whose end is before its beginning.
    MaxBelowMin,
    /// A view that cannot keep only its best members.
    NoKeep(Quoted),
    /// A view that cannot carry points over into the next period.
    NoCarry(Quoted),
    /// A view whose scores cannot decay.
    NoDecay(Quoted),
    /// A view with both a carry and a decay.
    CarryAndDecay(Quoted),
    /// A feature that a board with shown votes cannot have.
    NotWithShown(&'static str),
    /// A feature that is only possible if scores are sums.
    NeedsSum(&'static str),
    /// The view `all` has no past periods.
    NoRetain,
    /// The moment at which voting closes is not after the moment at which it opens.
    ClosesBeforeOpens,
    /// A limit that the board does not have.
    NoSuchRule(Quoted),
    /// A request names the same tag twice.
    RepeatedTag(Quoted),
    /// A vote for a member that is not a declared candidate.
    NotACandidate,
    /// A feature that is only possible on a board with shown votes.
    NeedsShown(&'static str),
    /// The key already has a value.
    Exists,
    /// The key already has a board.
    BoardExists,
    /// There is no board, and the command does not create a board.
    NoSuchBoard,
    /// A value is being restored. Chunks of it are missing, so it accepts no commands.
    Loading,
    /// The request id was used before, for another write.
    RequestReused,
    /// Saved bytes that are not valid. The field: the check that failed.
    Corrupt(&'static str),
    /// The board has no free id for another member.
    Full,
    /// A word that is not a scope of a rule.
    BadScope(Quoted),
    /// A word that cannot be the name of a rule or a tag: `rule` or `tag`, and the word.
    BadName(&'static str, Quoted),
    /// A limit of votes with the name of a [`BoardRule`].
    ReservedRule(Quoted),
    /// A rule of the board holds a write of scores back. The fields: the rule, and the time in milliseconds until the write
    /// can pass; `None` if waiting does not help.
    HeldBack(BoardRule, Option<u64>),
    /// A feature that is only possible on a board with `DECLARED`.
    NeedsDeclared(&'static str),
    /// A member with initial votes cannot leave the board.
    LeavesInitial,
    /// A moment that is before the present moment of the board's clock.
    BeforeClock(&'static str),
    /// A feature that is only possible on a board whose clock is that of events.
    NeedsEvents(&'static str),
    /// A word that is not a place of a prize table with its prize.
    BadPlace(Quoted),
    /// A prize that is empty or too long. The fields: the prize and the maximum length in bytes.
    BadPrize(Quoted, usize),
    /// Prizes for the view `all`, which never ends.
    NoPrizes,
    /// A command sets the prizes of the same view or tier twice. The field: its name.
    RepeatedTable(Quoted),
    /// A view or a dimension that has prizes cannot be dropped. The fields: `view` or `dimension`, and the name.
    HasPrizes(&'static str, Quoted),
    /// A list names the same rule twice.
    RepeatedRule(Quoted),
    /// A rule has the same bonus twice. The fields: the tag and its value.
    RepeatedBonus(Quoted, Quoted),
    /// More rules than a board can have. The field: the maximum.
    TooManyRules(usize),
    /// More bonuses than a rule can have: the rule, and the maximum.
    TooManyBonuses(Quoted, usize),
    /// A vote without a voter, although a rule counts by voter. The field: the rule.
    MissingVoter(Quoted),
    /// A vote without a tag that a rule counts by. The fields: the tag and the rule.
    MissingTag(Quoted, Quoted),
    /// An option that the command needs is missing.
    MissingOption(&'static str),
    /// A word that is not a unit of periods. The fields: the option and the word.
    BadUnit(&'static str, Quoted),
    /// There is no league, and the command does not create a league.
    NoSuchLeague,
    /// More or fewer amounts than tiers. The fields: the option, and how many tiers there are.
    AmountsForTiers(&'static str, usize),
    /// A word that is not a valid name of a tier.
    BadTierName(Quoted),
    /// A list names the same tier twice.
    RepeatedTier(Quoted),
    /// A tier that the league does not have.
    NoSuchTier(Quoted),
    /// Members would move beyond the highest or the lowest tier. The fields: the option and the tier.
    NoTierBeyond(&'static str, Quoted),
    /// A group that a tier does not have. The field: how many groups the tier has.
    NoSuchGroup(u64),
    /// There is no counter, and the command does not create a counter.
    NoSuchCounter,
    /// A word that is not a precision in whole seconds. The fields: the word and the longest precision.
    BadPrecision(Quoted, u32),
    /// A list names the same precision twice.
    RepeatedPrecision(u32),
    /// A precision is added that the counter already has.
    PrecisionKept(u32),
    /// A precision that the counter does not have.
    NoSuchPrecision(u32),
    /// A counter must have a precision.
    NoPrecision,
    /// A count would leave the range of a signed 64-bit number.
    CountOverflow,
    /// A member's score has more digits after the point than are kept. The fields: the member, and how many digits
    /// are kept.
    TooManyDigitsOf(Quoted, u8),
    /// A member's score is outside the range.
    ScoreOutOfRange(Quoted),
    /// A member whose name is empty or too long. The fields: the name and the maximum length in bytes.
    BadMember(Quoted, usize),
    /// An import to a board that has members, without an option that decides what happens to these members.
    NotEmpty,
    /// A word that is not a cursor of the command.
    BadCursor(&'static str),
    /// Two arguments name the same key. The fields: the arguments.
    SameKey(&'static str, &'static str),
    /// The number of values differs from the number of keys. The fields: the option, and how many keys there are.
    ValuesForKeys(&'static str, usize),
    /// A number that is not a possible number of parts. The fields: the option and the maximum number of parts.
    BadParts(&'static str, u16),
    /// A number of parts that is not a power of two, for a board that may also be plain. The fields: the option and the
    /// greatest number.
    BadPartsOrOne(&'static str, u16),
    /// A list of numbers of parts is not like `0-20,43`, or names a part that the board does not have.
    BadPartList(&'static str),
    /// A feature that needs all members, on a board whose members are in parts.
    NotWithParts(&'static str),
    /// The board is the root of a spread board, which has no members itself. The field: the number of parts.
    Spread(u16),
    /// A member that belongs to another part. The field: the number of that part.
    WrongPart(u16),
    /// A key that is not a part of a board with this number of parts.
    NoPart(u16),
    /// A key that is not a part of any board.
    NotAPart,
    /// The key does not hold the root of a board over parts.
    NotARoot,
    /// A command names another incarnation, revision or state of a root or part than the present one.
    Stale(&'static str),
    /// The board is growing, so its rules cannot be altered.
    Growing,
    /// The board is shrinking, so its rules cannot be altered.
    Shrinking,
    /// The part is being split or merged, so it takes no writes at present.
    Held,
    /// An option that only the root or a part of a board has.
    NeedsParts(&'static str),
    /// A change to rules that cannot be altered.
    OtherRules,
    /// A key that holds the root or a part of a board, and must keep it.
    BoundKey,
    /// A command that only the gateway carries out.
    OnlyGateway,
    /// A root whose key contains `{`. The parts of a board need their own hash tags.
    TaggedRoot,
}

impl std::error::Error for Error {}
