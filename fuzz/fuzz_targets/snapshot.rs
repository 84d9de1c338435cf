//! Any chunks load into a sound board or are refused without a trace, also those of a board that is voted
//! on with some bytes changed; and what has loaded goes on as a board does.
#![no_main]

use std::sync::OnceLock;

use arbitrary::Arbitrary;
use leaderboard_core::NativeType;
use leaderboard_core::board::{Alter, Declaration, Positions, Write};
use leaderboard_core::calendar::When;
use leaderboard_core::campaign::RuleChanges;
use leaderboard_core::dimensions::parse_dimensions;
use leaderboard_core::limits::{Ballot, Rule};
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::share::Share;
use leaderboard_core::time::TimeSource;
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Decimal, Schema};
use libfuzzer_sys::fuzz_target;

/// What a chunk of an ended period begins with.
const PAST: u8 = 8;
/// How many kinds of chunks there are, and one more.
const KINDS: u8 = 22;

#[derive(Debug, Arbitrary)]
enum Head<'a> {
    /// The head of an empty board, so that the fuzzer reaches the other chunks.
    Sound,
    /// A sound one with some bytes changed.
    Changed([(u8, u8); 3]),
    Any(&'a [u8]),
}

#[derive(Debug, Arbitrary)]
struct Chunk<'a> {
    kind: u8,
    body: &'a [u8],
}

/// A change to the chunks of a sound board. Negative positions count from the end of a chunk.
#[derive(Debug, Arbitrary)]
enum Edit<'a> {
    Set { chunk: u8, at: i16, byte: u8 },
    Insert { chunk: u8, at: i16, byte: u8 },
    Delete { chunk: u8, at: i16, count: u8 },
    Leave(u8),
    Repeat(u8),
    Swap(u8, u8),
    More(u8, Chunk<'a>),
}

#[derive(Debug, Arbitrary)]
enum Input<'a> {
    Pieces {
        /// Whether there are views of periods, that have begun.
        views: bool,
        head: Head<'a>,
        chunks: Vec<Chunk<'a>>,
    },
    /// A board that is voted on, with changes.
    Campaign { which: u8, edits: Vec<Edit<'a>> },
}

fn saved(board: &Board) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    board.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

fn spec(name: &str) -> Spec {
    Spec::new(Kind::parse(name.as_bytes()).expect("a view"))
}

/// An empty board. It had a member once, so its periods have begun.
fn empty(views: bool) -> Board {
    let kinds: &[&str] = if views { &["day:3", "all", "week"] } else { &["all"] };
    let specs: Vec<_> = kinds.iter().map(|name| spec(name)).collect();
    let mut board = Board::new(Schema::default(), &specs).expect("sound rules");
    let origin = TimeSource::Client { wall: 1_700_000_000_000, max_future: 0 };
    let write = Write::new(origin);
    board.add(&write, Decimal::whole(1), b"ann").expect("a point");
    board.remove(b"ann");
    board
}

fn rules() -> Vec<Rule> {
    let mut partner = Rule::new(b"partner", b"voter+shop", 3, b"day").expect("a rule");
    partner.add_bonus(b"shop", b"acme", 2).expect("a bonus");
    let flood = Rule::new(b"flood", b"member", 100_000, b"second").expect("a rule");
    vec![partner, flood, Rule::new(b"ever", b"voter", 1_000, b"all").expect("a rule")]
}

/// A board that is voted on.
fn campaign(shown: bool, voters: u32) -> Vec<Vec<u8>> {
    let half = Share::from_billionths(500_000_000);
    let specs = [spec("day:3"), spec("all"), Spec { carry: half, ..spec("hour") }, spec("minute")];
    let segments = parse_dimensions(b"country:SUM,guild:BEST").expect("dimensions");
    let schema = Schema { shown, declared: shown, segments, ..Schema::default() };
    let mut board = Board::new(schema, &specs).expect("sound rules");
    let voting = RuleChanges { closes: Some(1_800_000_000_000), limits: rules(), ..RuleChanges::default() };
    board.alter(&Alter { voting, ..Alter::default() }).expect("rules");
    let mut wall = 1_700_000_000_000;
    for (number, member) in [b"ann", b"bob", b"cat", b"dan"].into_iter().enumerate() {
        let initial = (shown && number > 1).then_some(number as u64);
        let said = Declaration { weight: shown.then_some(number as u32), initial, ..Declaration::default() };
        board.declare(member, said, TimeSource::Client { wall, max_future: 0 }).expect("an option");
    }
    for number in 0..voters {
        wall += if number % 3 == 0 { 40_000 } else { 1 };
        let origin = TimeSource::Client { wall, max_future: 0 };
        let (voter, at) = (number.to_be_bytes(), (number % 5 == 4).then_some(wall - 86_400_000));
        let write = Write { at, request: Some(&voter), ..Write::new(origin) };
        let ballot = Ballot { voter: Some(&voter), tags: &[(b"shop", b"acme")] };
        let member = [b"ann", b"bob", b"cat"][number as usize % 3];
        board.vote(&write, &ballot, (member, 1)).expect("a vote");
        let country: &[u8] = [&b"de"[..], b"", b"jp"][number as usize / 7 % 3];
        board.set_segments(member, &[(b"country", country)], origin).expect("a country");
    }
    saved(&board)
}

fn campaigns() -> &'static [Vec<Vec<u8>>] {
    static CAMPAIGNS: OnceLock<Vec<Vec<Vec<u8>>>> = OnceLock::new();
    CAMPAIGNS.get_or_init(|| {
        [(true, 2), (true, 9), (true, 40), (false, 9), (true, 6_000)]
            .map(|(shown, voters)| campaign(shown, voters))
            .to_vec()
    })
}

fn head(kind: &Head, views: bool) -> Vec<u8> {
    let mut sound = saved(&empty(views)).remove(0);
    match kind {
        Head::Any(bytes) => return bytes.to_vec(),
        Head::Sound => {}
        Head::Changed(changes) => {
            for (at, byte) in changes {
                let len = sound.len();
                sound[usize::from(*at) % len] = *byte;
            }
        }
    }
    sound
}

fn bytes(Chunk { kind, body }: &Chunk) -> Vec<u8> {
    // Few kinds, so that most of them exist.
    [&[kind % KINDS], *body].concat()
}

fn place(at: i16, len: usize) -> usize {
    let from_end = at < 0;
    let at = usize::from(at.unsigned_abs()) % len.max(1);
    if from_end { len - at } else { at }
}

fn edit(chunks: &mut Vec<Vec<u8>>, edit: &Edit) {
    if chunks.is_empty() {
        return;
    }
    let len = chunks.len();
    let number = |chunk: u8| usize::from(chunk) % len;
    match edit {
        Edit::Set { chunk, at, byte } => {
            let chunk = &mut chunks[number(*chunk)];
            let at = place(*at, chunk.len());
            chunk.get_mut(at).into_iter().for_each(|old| *old = *byte);
        }
        Edit::Insert { chunk, at, byte } => {
            let chunk = &mut chunks[number(*chunk)];
            chunk.insert(place(*at, chunk.len()), *byte);
        }
        Edit::Delete { chunk, at, count } => {
            let chunk = &mut chunks[number(*chunk)];
            let from = place(*at, chunk.len());
            chunk.drain(from..chunk.len().min(from + usize::from(*count)));
        }
        Edit::Leave(chunk) => _ = chunks.remove(number(*chunk)),
        Edit::Repeat(chunk) => chunks.insert(number(*chunk), chunks[number(*chunk)].clone()),
        Edit::Swap(one, other) => chunks.swap(number(*one), number(*other)),
        Edit::More(chunk, more) => chunks.insert(number(*chunk), bytes(more)),
    }
}

fn chunks(input: &Input) -> Vec<Vec<u8>> {
    match input {
        Input::Pieces { views, head: kind, chunks } => {
            std::iter::once(head(kind, *views)).chain(chunks.iter().map(bytes)).collect()
        }
        Input::Campaign { which, edits } => {
            let campaigns = campaigns();
            let mut chunks = campaigns[usize::from(*which) % campaigns.len()].clone();
            edits.iter().for_each(|change| edit(&mut chunks, change));
            chunks
        }
    }
}

fn load(chunks: &[Vec<u8>]) -> Option<Board> {
    let mut board = Board::load(chunks.first()?).ok()?;
    // The chunks of an ended period are taken in when the next chunk shows that there are no more.
    let mut pending = false;
    for chunk in chunks.iter().skip(1) {
        let before = saved(&board);
        match board.load_chunk(chunk) {
            Ok(true) => return Some(board),
            Ok(false) => pending = chunk.first() == Some(&PAST),
            Err(_) => assert!(pending || saved(&board) == before, "a refused chunk left traces"),
        }
        board.check();
    }
    // Perhaps only the end is missing.
    let end = saved(&board).pop().expect("an end");
    let _ = board.load_chunk(&end);
    Some(board)
}

fn reload(chunks: &[Vec<u8>]) -> Board {
    let mut board = Board::load(&chunks[0]).expect("a saved head");
    for (number, chunk) in chunks.iter().enumerate().skip(1) {
        assert_eq!(board.load_chunk(chunk), Ok(number + 1 == chunks.len()));
    }
    board.check();
    board
}

/// Everybody who is ranked in the default view.
fn ranked(board: &Board) -> Vec<Vec<u8>> {
    let rows = board.read(None, When::Now, Tally::Shown).expect("a view").rows(0, u64::MAX, Ranks::Dense);
    rows.map(|row| board.name(row.id).to_vec()).collect()
}

/// Adds points to every ranked member and to a new one.
fn go_on(board: &mut Board) {
    if board.refusal().is_some() {
        return;
    }
    let at = board.last().saturating_sub(1);
    let origin = TimeSource::Client { wall: board.last(), max_future: 60_000 };
    let mut names = ranked(board);
    names.push(b"somebody new".to_vec());
    for name in names {
        let write = Write {
            at: Some(at),
            request: Some(&name),
            positions: Positions::BeforeAndAfter,
            ..Write::new(origin)
        };
        let _ = board.add(&write, Decimal::whole(1), &name);
    }
    board.check();
}

/// Runs all queries about votes.
fn ask(board: &Board, ballot: &Ballot, origin: TimeSource) {
    let _ = board.quota(ballot, Some(b"ann"), None, origin);
    let (mut cursor, mut pages) = (0, 0);
    loop {
        let (next, page) = board.candidates(cursor, 3);
        assert!(next == 0 || (next > cursor && !page.is_empty()));
        for option in page {
            assert!(board.voters(Some(board.name(option.id)), None, None).expect("no view") >= option.voters);
        }
        (cursor, pages) = (next, pages + 1);
        if next == 0 || pages == 50 {
            break;
        }
    }
    for spec in board.specs() {
        let view = spec.kind.to_string();
        for when in [When::Now, When::Back(1), When::At(board.last())] {
            for member in [None, Some(&b"ann"[..])] {
                board.voters(member, Some(view.as_bytes()), Some(when)).expect("a view");
            }
        }
    }
}

/// Votes for ranked members and for a new one, now and in later periods.
fn vote_on(board: &mut Board) {
    let mut names = ranked(board);
    names.truncate(8);
    names.extend([b"ann".to_vec(), b"dan".to_vec(), b"somebody else".to_vec()]);
    let mut wall = board.last();
    for (number, name) in names.iter().enumerate() {
        let origin = TimeSource::Client { wall, max_future: 60_000 };
        let voter = [number as u8];
        let ballot = Ballot { voter: Some(&voter), tags: &[(b"shop", b"acme")] };
        let at = Some(if number % 4 == 3 { wall.saturating_sub(90_000_000) } else { wall });
        let write = Write { at, request: Some(&voter), ..Write::new(origin) };
        let said = Declaration {
            weight: None,
            initial: (number % 2 == 1).then_some(number as u64),
            ..Declaration::default()
        };
        if number % 3 > 0 {
            let _ = board.declare(name, said, origin);
        }
        let _ = board.vote(&write, &ballot, (name, 2));
        let _ = board.vote_many(&Write { request: None, ..write }, &ballot, &[(name, 1), (b"ann", 1)]);
        ask(board, &ballot, origin);
        if number % 3 == 2 {
            wall = wall.saturating_add(1_800_000);
            board.advance(board.now(wall, 60_000));
            while board.work(wall) == leaderboard_core::native::Work::Now {}
        }
        board.check();
    }
    board.remove(b"ann");
    board.check();
}

fuzz_target!(|input: Input| {
    if let Some(mut board) = load(&chunks(&input)) {
        let chunks = saved(&board);
        assert!(saved(&reload(&chunks)) == chunks, "saved, loaded and saved it differs");
        go_on(&mut board);
        reload(&saved(&board));
        vote_on(&mut board);
        reload(&saved(&board));
    }
});
