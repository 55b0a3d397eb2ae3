use std::io;
use std::path::PathBuf;

use async_trait::async_trait;
use rustls_acme::caches::DirCache;
use rustls_acme::{AccountCache, CertCache};

use crate::validity::{CurrentValidity, Validity};

/// Keeps the certificate and the account in a folder, and knows how long the certificate is valid. The library asks it for the
/// stored certificate at its start, and gives it each new one, but reveals neither.
pub(crate) struct WatchedCache {
    folder: DirCache<PathBuf>,
    validity: CurrentValidity,
}

impl WatchedCache {
    pub(crate) fn new(folder: PathBuf, validity: CurrentValidity) -> Self {
        Self { folder: DirCache::new(folder), validity }
    }
}

#[async_trait]
impl CertCache for WatchedCache {
    type EC = io::Error;

    async fn load_cert(&self, domains: &[String], directory_url: &str) -> io::Result<Option<Vec<u8>>> {
        let found = self.folder.load_cert(domains, directory_url).await?;
        self.validity.set(found.as_deref().and_then(Validity::of_pem));
        Ok(found)
    }

    async fn store_cert(&self, domains: &[String], directory_url: &str, cert: &[u8]) -> io::Result<()> {
        // The certificate is already in use, also if the folder does not take it.
        self.validity.set(Validity::of_pem(cert));
        self.folder.store_cert(domains, directory_url, cert).await
    }
}

#[async_trait]
impl AccountCache for WatchedCache {
    type EA = io::Error;

    async fn load_account(&self, contact: &[String], directory_url: &str) -> io::Result<Option<Vec<u8>>> {
        self.folder.load_account(contact, directory_url).await
    }

    async fn store_account(&self, contact: &[String], directory_url: &str, account: &[u8]) -> io::Result<()> {
        self.folder.store_account(contact, directory_url, account).await
    }
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::*;

    const DIRECTORY: &str = "https://authority.example/directory";

    /// A key and its certificate, which ends with this year, as the library stores them.
    fn pem_until(year: i32) -> String {
        let key = KeyPair::generate().unwrap();
        let mut parameters = CertificateParams::new(["vote.example.org".to_owned()]).unwrap();
        (parameters.not_before, parameters.not_after) = (date_time_ymd(2020, 1, 2), date_time_ymd(year, 12, 31));
        format!("{}{}", key.serialize_pem(), parameters.self_signed(&key).unwrap().pem())
    }

    fn end(validity: &CurrentValidity) -> Option<String> {
        Some(validity.get()?.ends_at.date_naive().to_string())
    }

    #[tokio::test]
    async fn the_end_of_a_stored_and_of_a_new_certificate_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let domains = ["vote.example.org".to_owned()];
        let opened = || {
            let validity = CurrentValidity::default();
            (WatchedCache::new(folder.path().to_owned(), validity.clone()), validity)
        };
        let (cache, validity) = opened();
        assert_eq!(cache.load_cert(&domains, DIRECTORY).await.unwrap(), None);
        assert_eq!(end(&validity), None, "there is no certificate yet");
        cache.store_cert(&domains, DIRECTORY, pem_until(2040).as_bytes()).await.unwrap();
        assert_eq!(end(&validity).unwrap(), "2040-12-31");
        assert_eq!(validity.get().unwrap().starts_at.date_naive().to_string(), "2020-01-02");
        cache.store_cert(&domains, DIRECTORY, pem_until(2041).as_bytes()).await.unwrap();
        assert_eq!(end(&validity).unwrap(), "2041-12-31");

        let (cache, validity) = opened();
        assert_eq!(end(&validity), None, "nothing was loaded yet");
        assert!(cache.load_cert(&domains, DIRECTORY).await.unwrap().is_some());
        assert_eq!(end(&validity).unwrap(), "2041-12-31");
    }

    #[tokio::test]
    async fn a_certificate_that_the_folder_does_not_take_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let validity = CurrentValidity::default();
        let missing = folder.path().join("file");
        std::fs::write(&missing, "no folder").unwrap();
        let cache = WatchedCache::new(missing, validity.clone());
        let stored = cache.store_cert(&["vote.example.org".to_owned()], DIRECTORY, pem_until(2040).as_bytes()).await;
        assert!(stored.is_err());
        assert_eq!(end(&validity).unwrap(), "2040-12-31");
    }
}
