//! Texts of plots. The texts of buttons are in `assets/plots.js`, because only the script makes buttons.

/// Texts of plots.
pub struct Plots {
    pub votes: Figure,
    pub writes: Figure,
    pub members: Figure,
    pub held_back: Figure,
    pub repeated: Figure,
    pub ops: Figure,
    pub memory: Figure,
    pub clients: Figure,
    pub all_writes: Figure,
    pub now: &'static str,
    pub greatest: &'static str,
    pub no_answer: &'static str,
    pub not_read: &'static str,
    pub none_yet: &'static str,
    pub kept: &'static str,
    pub kept_not: &'static str,
    pub in_memory: &'static str,
    pub trouble: &'static str,
    pub refused: &'static str,
    pub refused_hint: &'static str,
    pub refused_none: &'static str,
    pub who: &'static str,
    pub name: &'static str,
    pub times: &'static str,
    pub last_rule: &'static str,
    pub last_time: &'static str,
    pub voter: &'static str,
    pub address: &'static str,
    pub tag: &'static str,
    pub member: &'static str,
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
    held_back: figure("Held back by rules", "/s"),
    repeated: figure("Repeated requests", "/s"),
    ops: figure("Commands", "/s"),
    memory: figure("Memory", BYTES),
    clients: figure("Connected clients", ""),
    all_writes: figure("Writes to boards and leagues", "/s"),
    now: "Now",
    greatest: "Greatest in the last hour",
    no_answer: "no answer",
    not_read: "not read yet",
    none_yet: "Nothing read yet. The first value comes within a second or two.",
    kept: "Hours are read each second by this gateway; what rules held back is read once a minute. Days and longer times are noted once a minute in counters of the servers, the same for all gateways.",
    kept_not: "Hours are read by this gateway. Days and longer times are those that were noted in the servers before.",
    in_memory: "Only the last day is known, in the memory of this gateway. Start it with --history to keep more than a year in the servers.",
    trouble: "The last minute was not noted in the servers:",
    refused: "Held back most in the last hour",
    refused_hint: "Of requests to the HTTP API of this gateway. Counts are approximate: where two numbers stand, the true one is between them.",
    refused_none: "No rule held back a request in the last hour.",
    who: "Who",
    name: "Name",
    times: "Times",
    last_rule: "Last held back by",
    last_time: "When",
    voter: "voter",
    address: "address",
    tag: "tag",
    member: "member",
};

pub const CHINESE: Plots = Plots {
    votes: figure("计入的投票", "次/秒"),
    writes: figure("写入", "次/秒"),
    members: figure("成员数", ""),
    held_back: figure("被规则拦下", "次/秒"),
    repeated: figure("重复的请求", "次/秒"),
    ops: figure("命令", "条/秒"),
    memory: figure("内存", BYTES),
    clients: figure("已连接的客户端", ""),
    all_writes: figure("对榜单和联赛的写入", "次/秒"),
    now: "当前",
    greatest: "近一小时最大值",
    no_answer: "无响应",
    not_read: "尚未读取",
    none_yet: "尚未读到数据，一两秒后会出现第一个值。",
    kept: "一小时内的数据由本网关逐秒读取，被规则拦下的请求除外：每分钟读取一次。一天及更长时间的数据每分钟记入服务器的计数器，所有网关看到的都一样。",
    kept_not: "一小时内的数据由本网关读取。一天及更长时间的数据是此前已记入服务器的。",
    in_memory: "只有最近一天的数据，保存在本网关的内存中。用 --history 启动，可在服务器中保留一年以上。",
    trouble: "上一分钟的数据未能记入服务器：",
    refused: "近一小时被拦下最多的",
    refused_hint: "只含发往本网关 HTTP API 的请求。次数为近似值：有两个数时，真实值在两者之间。",
    refused_none: "近一小时没有请求被规则拦下。",
    who: "类别",
    name: "名称",
    times: "次数",
    last_rule: "最近一次被哪条规则拦下",
    last_time: "时间",
    voter: "投票人",
    address: "地址",
    tag: "标签",
    member: "成员",
};
