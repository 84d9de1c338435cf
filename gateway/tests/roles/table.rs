//! The table of rights: each route and each operation of a batch, and the role that it needs.

/// The role that a route needs, and whether the route changes data.
#[derive(Clone, Copy, PartialEq)]
pub enum May {
    Everybody,
    Look,
    Vote,
    Edit,
    Administer,
}

impl May {
    pub fn is_change(self) -> bool {
        !matches!(self, May::Everybody | May::Look)
    }

    /// Checks whether a role has this right. Roles are numbered from 0.
    pub fn allows(self, role: usize) -> bool {
        let least = match self {
            May::Everybody | May::Look => 0,
            May::Vote => 1,
            May::Edit => 2,
            May::Administer => 3,
        };
        role >= least
    }
}

pub struct Route {
    pub may: May,
    pub method: &'static str,
    /// The path as in openapi.json, without the names of parameters.
    pub path: &'static str,
    /// The path of the request. `KEY` is replaced by the key.
    pub ask: &'static str,
    /// The body of the request. A text that begins with `{` is JSON.
    pub body: &'static str,
    pub status: u16,
}

const fn route(
    may: May,
    method: &'static str,
    path: &'static str,
    ask: &'static str,
    body: &'static str,
    status: u16,
) -> Route {
    Route { may, method, path, ask, body, status }
}

/// The routes. `KEY:b` is a board with ann and bob, `KEY:d` one that bob has joined, `KEY:l` a league, `KEY:c` a counter, and `KEY:new` is absent.
pub const TABLE: &[Route] = &[
    route(May::Everybody, "GET", "/openapi.json", "/openapi.json", "", 200),
    route(May::Look, "GET", "/boards", "/boards", "", 200),
    route(May::Administer, "POST", "/boards", "/boards", r#"{"key":"KEY:new"}"#, 201),
    route(May::Look, "GET", "/boards/{}", "/boards/KEY:b", "", 200),
    route(May::Edit, "PATCH", "/boards/{}", "/boards/KEY:b", r#"{"opens":5,"limit":["a voter 5 day"]}"#, 200),
    route(May::Administer, "PATCH", "/boards/{}", "/boards/KEY:b", r#"{"dedup":5}"#, 200),
    route(May::Administer, "PATCH", "/boards/{}", "/boards/KEY:b", r#"{"opens":5,"views":"+day"}"#, 200),
    route(May::Administer, "DELETE", "/boards/{}", "/boards/KEY:b?confirm=KEY:b", "", 204),
    route(May::Look, "GET", "/boards/{}/top", "/boards/KEY:b/top", "", 200),
    route(May::Look, "GET", "/boards/{}/range", "/boards/KEY:b/range?first=1&last=2", "", 200),
    route(May::Look, "GET", "/boards/{}/around/{}", "/boards/KEY:b/around/ann?count=1", "", 200),
    route(May::Look, "GET", "/boards/{}/periods", "/boards/KEY:b/periods", "", 200),
    route(May::Look, "GET", "/boards/{}/count", "/boards/KEY:b/count", "", 200),
    route(May::Look, "GET", "/boards/{}/stats", "/boards/KEY:b/stats", "", 200),
    route(May::Look, "GET", "/boards/{}/quantile", "/boards/KEY:b/quantile?q=0.5", "", 200),
    route(May::Look, "GET", "/boards/{}/histogram", "/boards/KEY:b/histogram?min=0&max=9&buckets=3", "", 200),
    route(May::Look, "GET", "/boards/{}/voters", "/boards/KEY:b/voters", "", 200),
    route(May::Look, "GET", "/boards/{}/live", "/boards/KEY:b/live", "", 200),
    route(May::Look, "POST", "/boards/{}/live/tickets", "/boards/KEY:b/live/tickets", "", 201),
    route(May::Look, "GET", "/boards/{}/hidden", "/boards/KEY:b/hidden", "", 200),
    route(May::Look, "GET", "/boards/{}/segments/{}", "/boards/KEY:b/segments/land", "", 200),
    route(
        May::Look,
        "GET",
        "/boards/{}/segments/{}/rank",
        "/boards/KEY:b/segments/land/rank?segment=se",
        "",
        200,
    ),
    route(May::Look, "GET", "/boards/{}/members", "/boards/KEY:b/members?name=a*", "", 200),
    route(May::Look, "GET", "/boards/{}/members/{}/history", "/boards/KEY:b/members/ann/history", "", 200),
    route(May::Look, "GET", "/boards/{}/members/{}/segments", "/boards/KEY:b/members/ann/segments", "", 200),
    route(
        May::Edit,
        "PUT",
        "/boards/{}/members/{}/segments",
        "/boards/KEY:b/members/ann/segments",
        r#"{"segments":{"land":"no"}}"#,
        200,
    ),
    route(May::Edit, "PUT", "/boards/{}/entrants/{}", "/boards/KEY:d/entrants/ann", "{}", 200),
    route(May::Edit, "DELETE", "/boards/{}/entrants/{}", "/boards/KEY:d/entrants/bob", "", 204),
    route(May::Look, "GET", "/leagues/{}/prizes", "/leagues/KEY:lp/prizes", "", 200),
    route(May::Edit, "PUT", "/leagues/{}/claims/{}", "/leagues/KEY:lp/claims/ann", "", 200),
    route(May::Look, "GET", "/boards/{}/prizes", "/boards/KEY:p/prizes", "", 200),
    route(May::Administer, "POST", "/boards/{}/deliveries/{}", "/boards/KEY:b/deliveries/none", "", 404),
    route(May::Look, "GET", "/boards/{}/periods/{}", "/boards/KEY:p/periods/-1.csv", "", 200),
    route(May::Edit, "PUT", "/boards/{}/claims/{}", "/boards/KEY:p/claims/ann", "", 200),
    route(May::Look, "GET", "/boards/{}/members/{}", "/boards/KEY:b/members/ann", "", 200),
    route(
        May::Administer,
        "DELETE",
        "/boards/{}/members/{}",
        "/boards/KEY:b/members/ann?confirm=ann",
        "",
        204,
    ),
    route(
        May::Edit,
        "POST",
        "/boards/{}/members/{}/score",
        "/boards/KEY:b/members/ann/score",
        r#"{"points":1}"#,
        200,
    ),
    route(
        May::Edit,
        "PUT",
        "/boards/{}/members/{}/score",
        "/boards/KEY:b/members/ann/score",
        r#"{"score":1}"#,
        200,
    ),
    route(May::Look, "GET", "/boards/{}/members/{}/meta", "/boards/KEY:b/members/ann/meta", "", 200),
    route(
        May::Edit,
        "PUT",
        "/boards/{}/members/{}/meta",
        "/boards/KEY:b/members/ann/meta",
        r#"{"meta":"x"}"#,
        204,
    ),
    route(May::Edit, "POST", "/boards/{}/members/{}/hidden", "/boards/KEY:b/members/ann/hidden", "{}", 200),
    route(May::Edit, "DELETE", "/boards/{}/members/{}/hidden", "/boards/KEY:b/members/ann/hidden", "", 200),
    route(
        May::Vote,
        "POST",
        "/boards/{}/votes",
        "/boards/KEY:b/votes",
        r#"{"votes":[{"member":"ann"}]}"#,
        200,
    ),
    route(May::Look, "GET", "/boards/{}/quota", "/boards/KEY:b/quota?by=ann", "", 200),
    route(May::Look, "GET", "/boards/{}/options", "/boards/KEY:b/options", "", 200),
    route(May::Edit, "PUT", "/boards/{}/options/{}", "/boards/KEY:b/options/ann", r#"{"meta":"x"}"#, 204),
    route(May::Look, "GET", "/boards/{}/options.csv", "/boards/KEY:b/options.csv", "", 200),
    route(
        May::Edit,
        "PUT",
        "/boards/{}/options.csv",
        "/boards/KEY:b/options.csv",
        "member,weight,initial,meta\nann,1,0,x\n",
        200,
    ),
    route(
        May::Edit,
        "PUT",
        "/boards/{}/scores.csv",
        "/boards/KEY:b/scores.csv",
        "member,score\nann,9\n",
        200,
    ),
    route(May::Look, "GET", "/leagues/{}", "/leagues/KEY:l", "", 200),
    route(
        May::Administer,
        "POST",
        "/leagues/{}",
        "/leagues/KEY:new",
        r#"{"tiers":"a","promote":"0","demote":"0","cycle":"day"}"#,
        201,
    ),
    route(May::Edit, "POST", "/leagues/{}/join", "/leagues/KEY:l/join", r#"{"member":"cat"}"#, 200),
    route(May::Edit, "POST", "/leagues/{}/add", "/leagues/KEY:l/add", r#"{"member":"ann","points":1}"#, 200),
    route(May::Look, "GET", "/leagues/{}/groups/{}/{}", "/leagues/KEY:l/groups/a/1", "", 200),
    route(May::Look, "GET", "/leagues/{}/members/{}", "/leagues/KEY:l/members/ann", "", 200),
    route(May::Administer, "PATCH", "/leagues/{}", "/leagues/KEY:l", r#"{"reward":2}"#, 200),
    route(May::Administer, "DELETE", "/leagues/{}", "/leagues/KEY:l?confirm=KEY:l", "", 204),
    route(
        May::Administer,
        "PUT",
        "/leagues/{}/members/{}/tier",
        "/leagues/KEY:l/members/ann/tier",
        r#"{"tier":"a"}"#,
        204,
    ),
    route(
        May::Administer,
        "DELETE",
        "/leagues/{}/members/{}",
        "/leagues/KEY:l/members/ann?confirm=ann",
        "",
        204,
    ),
    route(May::Administer, "PATCH", "/counters/{}", "/counters/KEY:c", r#"{"samples":50}"#, 200),
    route(May::Administer, "DELETE", "/counters/{}", "/counters/KEY:c?confirm=KEY:c", "", 204),
    route(May::Look, "GET", "/counters/{}", "/counters/KEY:c", "", 200),
    route(May::Edit, "POST", "/counters/{}", "/counters/KEY:c", "{}", 200),
    route(May::Administer, "PUT", "/counters/{}", "/counters/KEY:new", "{}", 201),
];

/// The operations of a batch, and the role that each needs.
pub const OPERATIONS: &[(May, &str)] = &[
    (May::Look, r#"{"op":"top","key":"KEY:b","count":1}"#),
    (May::Look, r#"{"op":"range","key":"KEY:b","first":1,"last":2}"#),
    (May::Look, r#"{"op":"around","key":"KEY:b","member":"ann","count":1}"#),
    (May::Look, r#"{"op":"standing","key":"KEY:b","members":["ann"]}"#),
    (May::Look, r#"{"op":"score","key":"KEY:b","members":["ann"]}"#),
    (May::Look, r#"{"op":"rank","key":"KEY:b","members":["ann"]}"#),
    (May::Look, r#"{"op":"among","key":"KEY:b","members":["ann"]}"#),
    (May::Look, r#"{"op":"count","key":"KEY:b"}"#),
    (May::Look, r#"{"op":"stats","key":"KEY:b"}"#),
    (May::Look, r#"{"op":"info","key":"KEY:b"}"#),
    (May::Look, r#"{"op":"periods","key":"KEY:b","view":"all"}"#),
    (May::Look, r#"{"op":"quota","key":"KEY:b","by":"ann"}"#),
    (May::Look, r#"{"op":"meta","key":"KEY:b","member":"ann"}"#),
    (May::Vote, r#"{"op":"vote","key":"KEY:b","votes":[{"member":"ann"}]}"#),
    (May::Edit, r#"{"op":"add","key":"KEY:b","member":"ann","points":1}"#),
    (May::Edit, r#"{"op":"set","key":"KEY:b","member":"ann","score":1}"#),
    (May::Edit, r#"{"op":"setmeta","key":"KEY:b","member":"ann","meta":"x"}"#),
];
