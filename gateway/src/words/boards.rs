//! Texts of the list of boards.

/// Texts of the list of boards.
pub struct Boards {
    pub title: &'static str,
    pub filter: &'static str,
    pub show: &'static str,
    pub key: &'static str,
    pub members: &'static str,
    pub memory: &'static str,
    pub views: &'static str,
    pub empty: &'static str,
}

pub const ENGLISH: Boards = Boards {
    title: "Boards",
    filter: "Key contains",
    show: "Show",
    key: "Key",
    members: "Members",
    memory: "Memory",
    views: "Views",
    empty: "No board here. Make one, or change the filter.",
};

pub const CHINESE: Boards = Boards {
    title: "榜单",
    filter: "键名包含",
    show: "显示",
    key: "键",
    members: "成员数",
    memory: "内存",
    views: "视图",
    empty: "这里没有榜单。请新建一个,或修改筛选条件。",
};
