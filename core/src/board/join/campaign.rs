//! The rules of writes, the attempts, the candidates and the voters. Parts have no limits of votes.

use std::collections::BTreeMap;

use super::Joining;
use crate::Error;
use crate::board::snapshot::campaign::{MAX_NUMBER, period};
use crate::candidates::Candidate;
use crate::index::MemberId;
use crate::view::Kind;
use crate::voters::{Sketch, VoteBatch};

/// Sketches by the voters that they count: the member, `None` for all members, and the period.
type Sketches = BTreeMap<(Option<MemberId>, Option<VoteBatch>), Sketch>;

impl Joining<'_> {
    pub(super) fn add_campaign(&mut self) -> Result<(), Error> {
        let Self { sides, board, .. } = self;
        if sides.iter().all(|side| side.board.campaign().is_none()) {
            return Ok(());
        }
        let kinds: Vec<_> = board.specs().map(|spec| spec.kind).collect();
        let rules =
            sides.iter().find_map(|side| side.board.campaign()).map(|campaign| campaign.rules(&board.schema));
        let (schema, last) = (board.schema.clone(), board.last);
        let joined = board.campaign_mut();
        joined.change(&rules.unwrap_or_default(), &schema);
        let series = kinds.iter().map(|kind| (*kind != Kind::All).then(|| joined.series.number(*kind)));
        let series: Vec<_> = series.collect();
        let mut sketches = Sketches::new();
        for side in &*sides {
            let attempts = side.board.campaign().map(|campaign| &campaign.attempts);
            attempts.into_iter().for_each(|own| joined.attempts.adopt(&schema.calendar, last, own));
            let Some(campaign) = side.board.campaign() else { continue };
            let last = joined.candidates.last_number();
            for (id, candidate) in campaign.candidates.from(0) {
                let number = candidate.number.checked_add(last).filter(|number| *number <= MAX_NUMBER);
                let number = number.ok_or(Error::Full)?;
                let sequence = side.number(candidate.sequence);
                joined.candidates.set(side.id(id)?, Candidate { number, sequence, ..*candidate });
            }
            for member in campaign.voters.candidates().map(Some).chain([None]) {
                let id = member.map(|id| side.id(id)).transpose()?;
                for (batch, sketch) in campaign.voters.sketches(member) {
                    let Some((view, start, late)) = period(&side.board, batch) else { continue };
                    let view = usize::try_from(view).unwrap_or(usize::MAX).checked_sub(1);
                    let series = view.and_then(|view| series.get(view).copied().flatten());
                    let batch = series.map(|series| VoteBatch { series, start, late });
                    sketches.entry((id, batch)).or_default().merge(sketch);
                }
            }
        }
        sketches.into_iter().for_each(|((id, batch), sketch)| joined.voters.adopt(id, batch, sketch));
        board.rules_changed();
        Ok(())
    }
}
