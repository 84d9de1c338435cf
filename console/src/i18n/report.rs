//! Texts of the report of a campaign.

/// Texts of the report of a campaign.
pub struct Report {
    pub title: &'static str,
    pub link: &'static str,
    pub as_of: &'static str,
    pub more: &'static str,
    pub days: &'static str,
    pub day: &'static str,
    pub days_hint: &'static str,
    pub no_days: &'static str,
    pub copy: &'static str,
    pub copy_hint: &'static str,
    pub copy_to: &'static str,
    pub copied: &'static str,
}

pub const ENGLISH: Report = Report {
    title: "Report",
    link: "Report to print",
    as_of: "As of",
    more: "The report has the first 1,000 options. A file has all of them.",
    days: "By day",
    day: "Day (UTC)",
    days_hint: "From the history that gateways note once a minute: a minute around a restart can be missing.",
    no_days: "No history of this board is kept.",
    copy: "Copy this campaign",
    copy_hint: "A new board gets the rules, the dates and the options with their weights, initial votes and texts. Votes and voters begin anew. Change the dates then.",
    copy_to: "Key of the new board",
    copied: "The board was made, with the rules and options of the other one. Its dates are the same: change them.",
};

pub const CHINESE: Report = Report {
    title: "报告",
    link: "可打印的报告",
    as_of: "截至",
    more: "报告包含前 1,000 个选项，文件中有全部。",
    days: "按天",
    day: "日期（UTC）",
    days_hint: "来自各网关每分钟记录的历史；重启前后可能缺一分钟。",
    no_days: "没有保留此榜的历史。",
    copy: "复制此活动",
    copy_hint: "新榜会得到规则、日期，以及选项的权重、初始票数和文字。投票和投票人从零开始。之后请修改日期。",
    copy_to: "新榜的键名",
    copied: "已按原活动的规则和选项创建新榜。日期相同，请修改。",
};
