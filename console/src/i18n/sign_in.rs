//! Texts of signing in by a provider.

/// Texts of signing in by a provider.
pub struct SignIn {
    /// `{}` is the host of the provider, here and in the texts below that have one.
    pub with: &'static str,
    pub unknown: &'static str,
    /// The second `{}` is the reason.
    pub refused: &'static str,
    /// `{}` is the user.
    pub no_role: &'static str,
    pub busy: &'static str,
    /// The second `{}` is the reason.
    pub fault: &'static str,
    pub done: &'static str,
    pub go_on: &'static str,
}

pub const ENGLISH: SignIn = SignIn {
    with: "Sign in with {}",
    unknown: "This sign-in is not known here, or it took longer than 10 minutes. Please start again.",
    refused: "{} did not sign you in: {}",
    no_role: "You are {}, and no rule of this console gives you a role.",
    busy: "Too many people sign in at once. Please try again.",
    fault: "Signing in with {} does not work now: {}",
    done: "Signed in",
    go_on: "Go on to the boards",
};

pub const CHINESE: SignIn = SignIn {
    with: "使用 {} 登录",
    unknown: "此处没有这次登录，或者登录时间超过了 10 分钟。请重新开始。",
    refused: "{} 没有让您登录：{}",
    no_role: "您是 {}，但本控制台没有规则为您指定角色。",
    busy: "同时登录的人太多。请重试。",
    fault: "目前无法使用 {} 登录：{}",
    done: "已登录",
    go_on: "前往榜单",
};
