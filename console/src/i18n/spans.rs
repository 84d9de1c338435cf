//! Lengths of time as texts.

/// The units of time, each in singular and plural: days, hours, minutes, seconds.
pub struct Spans {
    units: [(&'static str, &'static str); 4],
    /// The text between a number and its unit, and between two units.
    space: &'static str,
}

/// Seconds of the units.
const SECONDS: [u64; 4] = [86_400, 3_600, 60, 1];

pub const ENGLISH: Spans = Spans {
    units: [("day", "days"), ("hour", "hours"), ("minute", "minutes"), ("second", "seconds")],
    space: " ",
};

pub const CHINESE: Spans =
    Spans { units: [("天", "天"), ("小时", "小时"), ("分钟", "分钟"), ("秒", "秒")], space: " " };

impl Spans {
    /// A length of time, given in milliseconds, in its two greatest units: `3 days 4 hours`. A part of a second counts
    /// as a whole second.
    pub fn text(&self, ms: u64) -> String {
        let mut left = ms.div_ceil(1_000);
        let mut parts = Vec::new();
        for (length, (one, several)) in SECONDS.into_iter().zip(self.units) {
            let number = left.checked_div(length).unwrap_or(0);
            left = left.checked_rem(length).unwrap_or(0);
            if number > 0 || (length == 1 && parts.is_empty()) {
                let unit = if number == 1 { one } else { several };
                let number = crate::i18n::numbers::grouped(&number.to_string());
                parts.push(format!("{number}{}{unit}", self.space));
            }
        }
        parts.truncate(2);
        parts.join(self.space)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_its_two_greatest_units() {
        let cases = [
            (0, "0 seconds"),
            (1, "1 second"),
            (41_280, "42 seconds"),
            (3_600_000, "1 hour"),
            (90_061_000, "1 day 1 hour"),
            (86_405_000, "1 day 5 seconds"),
            (1_234 * 86_400_000, "1,234 days"),
        ];
        for (ms, text) in cases {
            assert_eq!(ENGLISH.text(ms), text);
        }
        assert_eq!(CHINESE.text(41_280), "42 秒");
    }
}
