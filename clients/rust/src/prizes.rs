//! Requests about prizes: who has won in a period, and who has claimed.

use crate::{Claim, Request, WinnersPage};

/// `LB.PRIZES`: returns a page of the winners of the last period that ended, or of the period that is given. The first cursor
/// is 0.
pub fn prizes(key: impl AsRef<[u8]>, cursor: u64) -> Request<WinnersPage> {
    Request::on("LB.PRIZES", key).argument(cursor)
}

/// `LB.CLAIM`: claims the prize of a member, once. The reply is `None` if the member has no prize in the period, or if the
/// period is running.
pub fn claim(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Option<Claim>> {
    Request::on("LB.CLAIM", key).argument(member.as_ref())
}

/// `LB.SETTLE`: fixes the winners of an ended period, as the first claim does. The reply is the number of winners, or `None` if
/// the period is running or has no prizes.
pub fn settle(key: impl AsRef<[u8]>) -> Request<Option<u64>> {
    Request::on("LB.SETTLE", key)
}

/// Options of prizes.
impl<R> Request<R> {
    /// `PRIZES view table`: what the places of the view's periods win, such as `1=gold,2-10=silver,1-25%=badge`. An empty table
    /// ends the prizes. This option can be repeated.
    pub fn prizes(self, view: &str, table: impl AsRef<[u8]>) -> Self {
        self.option("PRIZES", view).argument(table.as_ref())
    }

    /// `PRIZES view table PER name`: what the places in each segment of a dimension win.
    pub fn prizes_per(self, view: &str, table: impl AsRef<[u8]>, name: &str) -> Self {
        self.prizes(view, table).argument("PER").argument(name)
    }

    /// `PRIZEDAYS n`: for how many days unclaimed prizes are kept when their period is not kept any more.
    pub fn prize_days(self, n: u32) -> Self {
        self.option("PRIZEDAYS", n)
    }

    /// `PER name`: the prizes of the places in each segment of a dimension.
    pub fn per(self, name: &str) -> Self {
        self.option("PER", name)
    }

    /// `UNCLAIMED`: only the prizes that can still be claimed.
    pub fn unclaimed(self) -> Self {
        self.flag("UNCLAIMED")
    }
}
