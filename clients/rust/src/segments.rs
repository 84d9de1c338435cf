//! Requests about segments: in each dimension of a board, such as the country, a member is in one segment.

use crate::{Name, Request, SegmentRank, SegmentRow};

/// `LB.SEGMENT`: puts a member into segments: pairs of a dimension and a value. An empty value takes the member out of its
/// segment. The reply is the number of segments that have changed.
pub fn segment<N: AsRef<[u8]>, V: AsRef<[u8]>>(
    key: impl AsRef<[u8]>,
    member: impl AsRef<[u8]>,
    values: impl IntoIterator<Item = (N, V)>,
) -> Request<u64> {
    let request = Request::on("LB.SEGMENT", key).argument(member.as_ref());
    values
        .into_iter()
        .fold(request, |request, (name, value)| request.argument(name.as_ref()).argument(value.as_ref()))
}

/// `LB.GETSEGMENT`: returns the segments of a member: dimensions and values.
pub fn getsegment(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Vec<(String, Name)>> {
    Request::on("LB.GETSEGMENT", key).argument(member.as_ref())
}

/// `LB.SEGMENTS`: returns the segments of a dimension, best first.
pub fn segments(key: impl AsRef<[u8]>, name: &str) -> Request<Vec<SegmentRow>> {
    Request::on("LB.SEGMENTS", key).argument(name)
}

/// `LB.SEGMENTRANK`: returns the rank of a segment; `None` if it has no visible members.
pub fn segmentrank(
    key: impl AsRef<[u8]>,
    name: &str,
    value: impl AsRef<[u8]>,
) -> Request<Option<SegmentRank>> {
    Request::on("LB.SEGMENTRANK", key).argument(name).argument(value.as_ref())
}
