//! Texts of plots. The texts of buttons are in `assets/plots.js`, because only the script makes buttons.

/// Texts of plots.
pub struct Plots {
    pub votes: Figure,
    pub writes: Figure,
    pub members: Figure,
    pub held_back: Figure,
    pub ops: Figure,
    pub memory: Figure,
    pub clients: Figure,
    pub all_writes: Figure,
    pub now: &'static str,
    pub greatest: &'static str,
    pub no_answer: &'static str,
    pub not_read: &'static str,
    pub none_yet: &'static str,
}

/// A figure and its unit.
pub struct Figure {
    pub title: &'static str,
    pub unit: &'static str,
}

/// The unit of figures that are shown as KB, MB or GB.
pub const BYTES: &str = "bytes";

const fn figure(title: &'static str, unit: &'static str) -> Figure {
    Figure { title, unit }
}

pub const ENGLISH: Plots = Plots {
    votes: figure("Votes that counted", "/s"),
    writes: figure("Writes", "/s"),
    members: figure("Members", ""),
    held_back: figure("Votes held back", "/s"),
    ops: figure("Commands", "/s"),
    memory: figure("Memory", BYTES),
    clients: figure("Connected clients", ""),
    all_writes: figure("Writes to boards, leagues and counters", "/s"),
    now: "Now",
    greatest: "Greatest in the last hour",
    no_answer: "no answer",
    not_read: "not read yet",
    none_yet: "Nothing read yet. The first value comes within a second or two.",
};

pub const CHINESE: Plots = Plots {
    votes: figure("计入的投票", "次/秒"),
    writes: figure("写入", "次/秒"),
    members: figure("成员数", ""),
    held_back: figure("被拦下的投票", "次/秒"),
    ops: figure("命令", "条/秒"),
    memory: figure("内存", BYTES),
    clients: figure("已连接的客户端", ""),
    all_writes: figure("对榜单、联赛和计数器的写入", "次/秒"),
    now: "当前",
    greatest: "近一小时最大值",
    no_answer: "无响应",
    not_read: "尚未读取",
    none_yet: "尚未读到数据，一两秒后会出现第一个值。",
};
