//! Which certificate authorities are trusted in calls to other systems.

use std::sync::Arc;

use ureq::tls::{Certificate, RootCerts};

/// The certificate authorities of the machine, as for the connection to the servers; those of a common list if it has none.
pub fn authorities() -> RootCerts {
    let found = rustls_native_certs::load_native_certs().certs;
    if found.is_empty() {
        return RootCerts::WebPki;
    }
    let own = found.iter().map(|certificate| Certificate::from_der(certificate).to_owned());
    RootCerts::Specific(Arc::new(own.collect()))
}
