//! Signatures of deliveries, by the convention Standard Webhooks: HMAC-SHA256 over the id, the time and the body.
//! See <https://www.standardwebhooks.com>.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The prefix of a secret.
const PREFIX: &str = "whsec_";

/// A secret that the gateway and a receiver share.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// Reads a secret: `whsec_` and 24 to 64 bytes in Base64.
    ///
    /// # Errors
    /// The reason. It does not contain the secret.
    pub fn parse(text: &str) -> Result<Self, String> {
        let bytes = text.strip_prefix(PREFIX).and_then(|text| STANDARD.decode(text).ok());
        let bytes = bytes.filter(|bytes| (24..=64).contains(&bytes.len()));
        bytes.map(Self).ok_or_else(|| format!("secret: '{PREFIX}' and 24 to 64 bytes in Base64"))
    }

    /// The signature of a delivery: `v1,` and the code in Base64. `at` is in seconds since the Unix epoch.
    pub fn sign(&self, id: &str, at: u64, body: &[u8]) -> String {
        // An HMAC takes a key of any length.
        let Ok(mut code) = Hmac::<Sha256>::new_from_slice(&self.0) else { return String::new() };
        code.update(format!("{id}.{at}.").as_bytes());
        code.update(body);
        format!("v1,{}", STANDARD.encode(code.finalize().into_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification of Standard Webhooks.
    #[test]
    fn signatures_are_those_of_the_convention() {
        let secret = Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signed = secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_secret_has_a_prefix_and_enough_bytes() {
        for text in [
            "",
            "whsec_",
            "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa",
            "whsec_-",
        ] {
            let said = Secret::parse(text).unwrap_err();
            assert!(said.starts_with("secret: ") && (text.len() < 9 || !said.contains(&text[7..])), "{said}");
        }
    }
}
