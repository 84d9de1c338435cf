//! The arguments that all reads have in common: the view, the period, and how members are numbered.

use leaderboard_client::Request;

use crate::api::segments::InSegment;

/// Makes a struct of arguments: first its own, then the arguments of all reads. It does not use `#[serde(flatten)]`,
/// because messages could then not name the wrong field. The form `lines` is for reads that show members and can show
/// their texts.
macro_rules! reading {
    (lines $(#[$doc:meta])* $name:ident { $($own:tt)* }) => {
        $crate::api::reading::reading! { @reads $(#[$doc])* $name { $($own)* } {
            /// Show the texts of the members.
            #[serde(default)]
            pub meta: bool,
        } }
        impl $name {
            /// Puts the arguments of reads into a request.
            fn put<R>(&self, request: leaderboard_client::Request<R>) -> leaderboard_client::Request<R> {
                let request = self.common().put(request);
                if self.meta { request.with_meta() } else { request }
            }
        }
    };
    (numbers $(#[$doc:meta])* $name:ident { $($own:tt)* }) => {
        $crate::api::reading::reading! { @reads $(#[$doc])* $name { $($own)* } {} }
        impl $name {
            /// Puts the arguments of reads into a request.
            fn put<R>(&self, request: leaderboard_client::Request<R>) -> leaderboard_client::Request<R> {
                self.common().put(request)
            }
        }
    };
    (@reads $(#[$doc:meta])* $name:ident { $($own:tt)* } { $($more:tt)* }) => {
        $crate::api::reading::reading! { @period $(#[$doc])* $name { $($own)* $($more)* } {
            /// How equal scores are numbered: `ordinal`, `competition` or `dense`.
            #[param(schema_with = crate::api::words::ranks)]
            #[schema(schema_with = crate::api::words::ranks)]
            pub ranks: Option<String>,
            /// Show the real votes instead of the shown votes.
            #[serde(default)]
            pub real: bool,
            /// Count the ranks from the last place.
            #[serde(default)]
            pub rev: bool,
            /// Only the members of this segment: a dimension and a value.
            #[serde(rename = "in", default, deserialize_with = "crate::api::segments::in_text")]
            #[param(value_type = Option<String>, pattern = r"^[^:]+:", example = "country:SE")]
            #[schema(value_type = Option<String>)]
            pub in_segment: Option<crate::api::segments::InSegment>,
            /// Only the members of this segment: a dimension and a value in Base64.
            #[serde(default, deserialize_with = "crate::api::segments::in_base64")]
            #[param(value_type = Option<String>, pattern = r"^[^:]+:([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$")]
            #[schema(value_type = Option<String>)]
            pub in_b64: Option<crate::api::segments::InSegment>,
        } }

        impl $name {
            fn common(&self) -> $crate::api::reading::Common<'_> {
                $crate::api::reading::Common {
                    ranks: self.ranks.as_deref(),
                    real: self.real,
                    rev: self.rev,
                    segments: [self.in_segment.as_ref(), self.in_b64.as_ref()],
                    ..self.period()
                }
            }
        }
    };
    (period $(#[$doc:meta])* $name:ident { $($own:tt)* }) => {
        $crate::api::reading::reading! { @period $(#[$doc])* $name { $($own)* } {} }
    };
    (@period $(#[$doc:meta])* $name:ident { $($own:tt)* } { $($more:tt)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, serde::Deserialize, utoipa::IntoParams, utoipa::ToSchema)]
        #[serde(deny_unknown_fields)]
        #[into_params(parameter_in = Query)]
        pub struct $name {
            $($own)*
            /// The view; the default view of the board if absent.
            #[param(example = "day")]
            pub view: Option<String>,
            /// The period of the view, such as `-1` or `2026-W12`; the current period if `period` and `at` are absent.
            /// Not with `at`.
            #[serde(default, deserialize_with = "crate::api::numbers::digits")]
            #[param(example = "-1")]
            pub period: Option<String>,
            /// The period that holds this moment, in ms. Not with `period`.
            #[serde(default, deserialize_with = "crate::api::numbers::whole")]
            #[param(minimum = 0, maximum = 253_402_300_799_999_i64)]
            #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
            pub at: Option<i64>,
            $($more)*
        }

        impl $name {
            fn period(&self) -> $crate::api::reading::Common<'_> {
                $crate::api::reading::Common {
                    view: self.view.as_deref(),
                    period: self.period.as_deref(),
                    at: self.at,
                    ..Default::default()
                }
            }
        }
    };
}
pub(crate) use reading;

/// The arguments of all reads.
#[derive(Debug, Clone, Copy, Default)]
pub struct Common<'a> {
    pub view: Option<&'a str>,
    pub period: Option<&'a str>,
    pub at: Option<i64>,
    pub ranks: Option<&'a str>,
    pub real: bool,
    pub rev: bool,
    /// The segment as a text, and in Base64. The server refuses both.
    pub segments: [Option<&'a InSegment>; 2],
}

impl Common<'_> {
    /// Puts the arguments into a request.
    pub fn put<R>(&self, mut request: Request<R>) -> Request<R> {
        if let Some(view) = self.view {
            request = request.view(view);
        }
        if let Some(period) = self.period {
            request = request.period(period);
        }
        if let Some(at) = self.at {
            request = request.at(at);
        }
        if let Some(ranks) = self.ranks {
            request = request.option("RANKS", ranks);
        }
        if self.real {
            request = request.real();
        }
        for segment in self.segments.into_iter().flatten() {
            request = request.in_segment(&segment.dimension, &segment.value);
        }
        if self.rev { request.rev() } else { request }
    }
}
