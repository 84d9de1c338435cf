//! Texts of the page of tokens.

/// Texts of the page of tokens.
pub struct Tokens {
    pub title: &'static str,
    /// HTML.
    pub intro: &'static str,
    pub none: &'static str,
    pub name: &'static str,
    pub role: &'static str,
    pub keys: &'static str,
    pub expires: &'static str,
    pub expired: &'static str,
    pub never: &'static str,
    pub rate: &'static str,
    pub streams: &'static str,
    pub last: &'static str,
    pub requests: &'static str,
    pub refused: &'static str,
}

pub const ENGLISH: Tokens = Tokens {
    title: "Tokens",
    intro: "Requests are those to this gateway since it was started. Times are in UTC. Tokens are made and withdrawn with <code>leaderboard-gateway token</code>.",
    none: "This console has no tokens.",
    name: "Name",
    role: "Role",
    keys: "Keys",
    expires: "Expires",
    expired: "expired",
    never: "never",
    rate: "Requests a second",
    streams: "Live streams",
    last: "Last use",
    requests: "Requests",
    refused: "Refused",
};

pub const CHINESE: Tokens = Tokens {
    title: "令牌",
    intro: "请求数为本网关启动以来收到的请求。时间为 UTC。令牌用 <code>leaderboard-gateway token</code> 生成和撤销。",
    none: "此控制台没有令牌。",
    name: "名称",
    role: "角色",
    keys: "键",
    expires: "到期",
    expired: "已到期",
    never: "永不",
    rate: "每秒请求",
    streams: "实时连接",
    last: "最近使用",
    requests: "请求",
    refused: "被拒绝",
};
