//! The settings of sign-in by a provider.

use std::path::PathBuf;

use clap::Args;

use super::rule::Rule;

/// Which provider signs people in, and what they may do.
#[derive(Debug, Clone, Args)]
#[group(skip)]
pub struct Flags {
    /// An OpenID Connect provider whose users can sign in to the pages, such as https://login.example.org/realms/staff.
    #[arg(long, value_name = "URL", env = "LEADERBOARD_OIDC_ISSUER",
        requires_all = ["tokens", "oidc_client_id", "oidc_redirect", "oidc_roles"])]
    pub oidc_issuer: Option<String>,

    /// The name under which the provider knows this console.
    #[arg(long, value_name = "ID", env = "LEADERBOARD_OIDC_CLIENT_ID", requires = "oidc_issuer")]
    pub oidc_client_id: Option<String>,

    /// The file with the secret that the provider has given to this console. Without this file, there is no secret.
    #[arg(long, value_name = "FILE", env = "LEADERBOARD_OIDC_CLIENT_SECRET_FILE", requires = "oidc_issuer")]
    pub oidc_client_secret_file: Option<PathBuf>,

    /// The address of /login/callback as browsers reach it, such as https://board.example.org/login/callback. Its host is
    /// a name of the console, as with --host.
    #[arg(long, value_name = "URL", env = "LEADERBOARD_OIDC_REDIRECT", requires = "oidc_issuer")]
    pub oidc_redirect: Option<String>,

    /// The role of users whose claim has a value, and the globs of their keys, such as 'groups=staff viewer *'. Can be
    /// given several times, in the variable with semicolons between. The first rule that fits counts.
    #[arg(
        long = "oidc-role",
        value_name = "CLAIM=VALUE ROLE GLOB...",
        env = "LEADERBOARD_OIDC_ROLES",
        value_delimiter = ';',
        requires = "oidc_issuer"
    )]
    pub oidc_roles: Vec<Rule>,

    /// Which scopes to ask the provider for, beside openid. Some providers need one for groups.
    #[arg(long, value_name = "SCOPES", env = "LEADERBOARD_OIDC_SCOPES", default_value = "email profile")]
    pub oidc_scopes: String,
}
