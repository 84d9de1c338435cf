//! Texts of the audit log.

/// Texts of the audit log.
pub struct Audit {
    pub title: &'static str,
    pub intro_memory: &'static str,
    pub intro_file: &'static str,
    pub key: &'static str,
    pub who: &'static str,
    pub action: &'static str,
    pub any: &'static str,
    pub filter: &'static str,
    pub clear: &'static str,
    pub download: &'static str,
    pub download_file: &'static str,
    pub at: &'static str,
    pub detail: &'static str,
    pub outcome: &'static str,
    pub done: &'static str,
    pub refused: &'static str,
    pub records: &'static str,
    pub empty: &'static str,
    pub empty_filter: &'static str,
}

pub const ENGLISH: Audit = Audit {
    title: "Audit",
    intro_memory: "Changes since the console was started, the last 10,000. Times are in UTC. Votes and points are not in the log. \
        Start the console with --audit FILE to keep the log.",
    intro_file: "Changes since the console was started, the last 10,000. Times are in UTC. Votes and points are not in the log. \
        The download has all that the file holds.",
    key: "Key contains",
    who: "Who",
    action: "Action",
    any: "Any",
    filter: "Filter",
    clear: "Clear",
    download: "Download as JSON lines",
    download_file: "Download the whole log as JSON lines",
    at: "Time (UTC)",
    detail: "Command",
    outcome: "Outcome",
    done: "done",
    refused: "refused",
    records: "{} records",
    empty: "Nothing was changed since the console was started. Changes that people make on these pages appear here.",
    empty_filter: "No record matches. Change the filter or clear it.",
};

pub const CHINESE: Audit = Audit {
    title: "审计",
    intro_memory: "控制台启动以来的修改，最多保留最近 10,000 条。时间为 UTC。投票和积分不在日志中。\
        以 --audit FILE 启动控制台可长期保存日志。",
    intro_file: "控制台启动以来的修改，最多显示最近 10,000 条。时间为 UTC。投票和积分不在日志中。下载包含文件中的全部记录。",
    key: "键名包含",
    who: "操作者",
    action: "操作",
    any: "全部",
    filter: "筛选",
    clear: "清除",
    download: "下载（JSON Lines）",
    download_file: "下载完整日志（JSON Lines）",
    at: "时间（UTC）",
    detail: "命令",
    outcome: "结果",
    done: "完成",
    refused: "被拒绝",
    records: "共 {} 条",
    empty: "控制台启动以来没有任何修改。在这些页面上所做的修改会显示在这里。",
    empty_filter: "没有符合条件的记录。请修改或清除筛选条件。",
};
