//! Segments of a board's members: in each dimension, such as the country or the guild, a member is in one segment or in
//! none.
//!
//! A board stores the segment of each member once for each dimension ([`dimension`]). In each view, the members of each
//! segment have an order index of their own, and the segments are ranked among each other ([`orders`]). These orders
//! follow from the view and from the segments of the members, so they are not saved. What is saved are the last changes of the
//! segments ([`changes`]), because segments with equal numbers are ranked by them.
//!
//! What has ended stays as it ended: when a member goes to another segment, the board notes from which segment it came
//! ([`moves`]), as long as it keeps a period that ended before that. So an ended period takes no memory for segments,
//! until a read divides its members by segments ([`ended`]).

mod changes;
mod check;
mod dimension;
mod ended;
mod garbage;
mod hidden;
mod members;
mod moves;
mod next;
mod next_ranking;
mod order_list;
mod orders;
mod rank;
mod ranking;
mod values;

pub(crate) use changes::{Change, ChangeRange, EndedChanges, Needed};
pub(crate) use dimension::{Dimension, Setting};
pub(crate) use ended::EndedSegments;
pub(crate) use garbage::Garbage;
pub(crate) use hidden::HiddenBySegment;
pub(crate) use next::Prepared;
pub(crate) use orders::{Cause, LeftPeriod, ViewSegments};
pub(crate) use rank::{SegmentRank, number};
pub(crate) use values::SegmentId;
