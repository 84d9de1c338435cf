//! TLS for the clients of Redis: reads the certificates and the key.

use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

/// # Errors
/// If a file cannot be read or has no certificate or key in it, or if the key belongs to another certificate.
pub fn acceptor(certificates: &Path, key: &Path) -> Result<TlsAcceptor, String> {
    let failure = |name, file: &Path, error: String| format!("{name} {}: {error}", file.display());
    let chain = CertificateDer::pem_file_iter(certificates)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| failure("--resp-cert", certificates, error.to_string()))?;
    let secret =
        PrivateKeyDer::from_pem_file(key).map_err(|error| failure("--resp-key", key, error.to_string()))?;
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .map_err(|error| failure("--resp-cert", certificates, error.to_string()))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
