//! Sorts the members of an order by id, in small steps: entries are distributed to piles of neighbouring ids. Then
//! the piles are sorted one by one and appended to the list by member.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the first walk over the order counts what the second one deals out"
)]

use super::MemberId;
use super::by_member::ByMember;
use super::by_rank::{BLOCK, ByRank};
use crate::size_class::bytes_of;

/// The number of bits of an id within its chunk of the arena.
const CHUNK_BITS: u32 = 16;
/// The maximum number of members for which an order is one pile, or for which several chunks share a pile. A pile
/// has at most 65,536 members, since a chunk has at most this number of members.
const PILE: usize = 1 << 14;
/// The number of blocks that one step counts.
const COUNT_STEP: usize = 32;
/// The number of blocks that one step distributes.
const DEAL_STEP: usize = 16;
/// The number of piles that one step allocates. A full pile takes half a megabyte.
const ROOM_STEP: usize = 1;
/// The number of members and empty ranges that one step appends.
const ENTER_STEP: usize = 1 << 13;
/// The number of values of a digit of the sort.
const DIGITS: usize = 1 << 8;

/// The work that is left after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    More,
    Nothing,
    /// A member is in the order twice.
    Twice,
}

#[derive(Debug, Clone, Copy)]
enum Stage {
    Count,
    Room,
    Deal,
    Sort,
    Enter,
}

/// An id in the upper half, and its position in the lower half.
type IdPosition = u64;

const fn id_of(item: IdPosition) -> MemberId {
    (item >> 32) as MemberId
}

#[derive(Debug, Clone)]
pub struct Sorter {
    stage: Stage,
    /// The block or the pile that the stage handles next.
    next: usize,
    /// The number of members of the sorted pile that were appended.
    entered: usize,
    shift: u32,
    /// First the number of entries of each chunk, later the pile of each chunk.
    chunks: Vec<u32>,
    /// The number of entries of each pile.
    sizes: Vec<u32>,
    piles: Vec<Vec<IdPosition>>,
    spare: Vec<IdPosition>,
    /// The number of bytes of all piles.
    room: usize,
    members: ByMember,
}

impl Sorter {
    /// Returns a sorter for a complete order with ids from `least` to `most`.
    pub fn new(order: &ByRank, least: MemberId, most: MemberId) -> Self {
        let shift = if order.len() <= PILE as u64 { MemberId::BITS } else { CHUNK_BITS };
        Self {
            stage: Stage::Count,
            next: 0,
            entered: 0,
            shift,
            chunks: vec![0; (u64::from(most) >> shift) as usize + 1],
            sizes: Vec::new(),
            piles: Vec::new(),
            spare: Vec::new(),
            room: 0,
            members: ByMember::new(order.len(), least, most),
        }
    }

    /// Returns the list by member. It must be called only after all work is done.
    pub fn into_members(self) -> ByMember {
        self.members
    }

    pub fn memory(&self) -> usize {
        let lists = bytes_of::<u32>(self.chunks.capacity()) + bytes_of::<u32>(self.sizes.capacity());
        let piles = bytes_of::<Vec<IdPosition>>(self.piles.capacity()) + self.room;
        lists + piles + bytes_of::<IdPosition>(self.spare.capacity()) + self.members.memory()
    }

    /// Does the next step of the work. Returns what is left.
    pub fn step(&mut self, order: &ByRank) -> Left {
        match self.stage {
            Stage::Count => return self.count(order),
            Stage::Room => self.make_room(),
            Stage::Deal => self.deal(order),
            Stage::Sort => return self.sort(),
            Stage::Enter => return self.enter(),
        }
        Left::More
    }

    fn go_on(&mut self, stage: Stage) {
        (self.stage, self.next) = (stage, 0);
    }

    fn chunk_of(&self, id: MemberId) -> usize {
        (u64::from(id) >> self.shift) as usize
    }

    fn count(&mut self, order: &ByRank) -> Left {
        let end = (self.next + COUNT_STEP).min(order.blocks());
        for number in self.next..end {
            let block = order.block(number);
            for at in 0..block.len {
                let chunk = self.chunk_of(block.id(at));
                self.chunks[chunk] += 1;
            }
        }
        self.next = end;
        if end < order.blocks() {
            return Left::More;
        }
        if self.shift == CHUNK_BITS && self.chunks.iter().any(|count| *count > 1 << CHUNK_BITS) {
            return Left::Twice;
        }
        self.plan();
        Left::More
    }

    /// Determines which chunks share a pile.
    fn plan(&mut self) {
        let mut size = 0;
        for chunk in &mut self.chunks {
            if size > 0 && size + *chunk > PILE as u32 {
                self.sizes.push(size);
                size = 0;
            }
            size += *chunk;
            *chunk = self.sizes.len() as u32;
        }
        self.sizes.push(size);
        self.piles.reserve_exact(self.sizes.len());
        self.go_on(Stage::Room);
    }

    fn make_room(&mut self) {
        let end = (self.next + ROOM_STEP).min(self.sizes.len());
        for size in &self.sizes[self.next..end] {
            // All memory of the pile is written here, once. Otherwise, nearly every entry that is distributed would
            // need a new memory page from the system.
            let mut pile = vec![1; *size as usize];
            pile.clear();
            self.piles.push(pile);
            self.room += bytes_of::<IdPosition>(*size as usize);
        }
        self.next = end;
        if end == self.sizes.len() {
            self.go_on(Stage::Deal);
        }
    }

    fn deal(&mut self, order: &ByRank) {
        let end = (self.next + DEAL_STEP).min(order.blocks());
        for number in self.next..end {
            let block = order.block(number);
            for at in 0..block.len {
                let id = block.id(at);
                let pile = self.chunks[self.chunk_of(id)];
                self.piles[pile as usize]
                    .push(IdPosition::from(id) << 32 | (number * BLOCK + at) as IdPosition);
            }
        }
        self.next = end;
        if end == order.blocks() {
            self.go_on(Stage::Sort);
        }
    }

    fn sort(&mut self) -> Left {
        let Some(pile) = self.piles.get_mut(self.next) else {
            self.members.seal();
            return Left::Nothing;
        };
        sort(pile, &mut self.spare);
        if pile.windows(2).any(|pair| id_of(pair[0]) == id_of(pair[1])) {
            return Left::Twice;
        }
        self.entered = 0;
        self.stage = Stage::Enter;
        Left::More
    }

    fn enter(&mut self) -> Left {
        let pile = &self.piles[self.next];
        for _ in 0..ENTER_STEP {
            let Some(item) = pile.get(self.entered) else {
                self.room -= bytes_of::<IdPosition>(pile.len());
                self.piles[self.next] = Vec::new();
                self.next += 1;
                self.stage = Stage::Sort;
                break;
            };
            if self.members.reach(id_of(*item)) {
                self.members.push(id_of(*item), *item as u32);
                self.entered += 1;
            }
        }
        Left::More
    }
}

/// Sorts items by id, digit by digit, lowest digit first. A digit that is the same in all ids is skipped.
fn sort(items: &mut Vec<IdPosition>, spare: &mut Vec<IdPosition>) {
    let first = items.first().copied().unwrap_or(0);
    let differ = items.iter().fold(0, |differ, item| differ | (item ^ first));
    spare.resize(items.len(), 0);
    for shift in (32..64).step_by(8) {
        let digit = |item: IdPosition| (item >> shift) as usize % DIGITS;
        if digit(differ) == 0 {
            continue;
        }
        let mut starts = [0_usize; DIGITS];
        for item in items.iter() {
            starts[digit(*item)] += 1;
        }
        let mut start = 0;
        for count in &mut starts {
            (*count, start) = (start, start + *count);
        }
        for item in items.iter() {
            let to = &mut starts[digit(*item)];
            spare[*to] = *item;
            *to += 1;
        }
        std::mem::swap(items, spare);
    }
}
