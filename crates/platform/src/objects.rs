//! Object storage: bytes by name, in a directory or an S3 bucket.
//!
//! The operator configures the storage, so it may be in a private network; organizations and agents cannot.
//! Credentials and endpoint of S3 are read from the environment as the AWS tools do.

use std::{path::PathBuf, sync::Arc, time::Duration};

use bytes::Bytes;
use jiff::Timestamp;
use object_store::{
    ClientConfigKey, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload, RetryConfig,
    UpdateVersion,
    aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey},
    local::LocalFileSystem,
    path::Path,
};
use url::Url;

/// Time limit of a request, including retries.
const REQUEST: &str = "10 seconds";
const CONNECT: &str = "3 seconds";
const REPEAT_FOR: Duration = Duration::from_secs(20);

/// Errors of object storage.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is invalid.
    #[error("a place is `file:///directory` or `s3://bucket/prefix`")]
    Address,
    /// The configuration is unusable.
    #[error("setting up {place}")]
    Setup {
        place: String,
        #[source]
        source: Box<object_store::Error>,
    },
    /// The storage is unavailable, or refuses the request.
    #[error("{doing} {name} at {place}")]
    Failed {
        doing: &'static str,
        name: String,
        place: String,
        #[source]
        source: Box<object_store::Error>,
    },
    /// The object is larger than any that was stored.
    #[error("{name} at {place} is too large")]
    TooLarge { name: String, place: String },
}

/// An object storage. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Objects {
    /// The address as configured; it contains no secret.
    place: String,
    store: Store,
}

#[derive(Debug, Clone)]
enum Store {
    Directory(PathBuf),
    Bucket { store: Arc<dyn ObjectStore>, prefix: Path },
}

/// An object with its version.
#[derive(Debug, Clone)]
pub struct Found {
    pub bytes: Bytes,
    version: UpdateVersion,
}

impl Objects {
    /// The storage at an address. Nothing is connected yet.
    pub fn parse(address: &str) -> Result<Self, Error> {
        Self::over(address, AmazonS3Builder::from_env())
    }

    /// The storage at an address, with an explicit endpoint and keys instead of the environment.
    pub fn with_keys(address: &str, endpoint: &str, id: &str, secret: &str) -> Result<Self, Error> {
        let builder = AmazonS3Builder::new().with_endpoint(endpoint);
        Self::over(address, builder.with_access_key_id(id).with_secret_access_key(secret))
    }

    fn over(address: &str, builder: AmazonS3Builder) -> Result<Self, Error> {
        let url: Url = address.parse().map_err(|_| Error::Address)?;
        let bare = url.username().is_empty() && url.password().is_none() && url.port().is_none();
        if !bare || url.query().is_some() || url.fragment().is_some() {
            return Err(Error::Address);
        }
        let store = match url.scheme() {
            "file" => Store::Directory(url.to_file_path().map_err(|()| Error::Address)?),
            "s3" => {
                let prefix = Path::from_url_path(url.path()).map_err(|_| Error::Address)?;
                let bucket = url.host_str().ok_or(Error::Address)?;
                let setup = |source| Error::Setup { place: address.to_owned(), source: Box::new(source) };
                let bucket = connect(builder.with_bucket_name(bucket)).map_err(setup)?;
                Store::Bucket { store: Arc::new(bucket), prefix }
            }
            _ => return Err(Error::Address),
        };
        Ok(Self { place: address.to_owned(), store })
    }

    /// The address as configured.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Reads an object; `None` if it does not exist.
    pub async fn get(&self, name: &str, most_bytes: u64) -> Result<Option<Found>, Error> {
        let failed = |source| self.failed("reading", name, source);
        let (store, path) = self.at(name).await.map_err(failed)?;
        let found = match store.get(&path).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        if found.meta.size > most_bytes {
            return Err(Error::TooLarge { name: name.to_owned(), place: self.place.clone() });
        }
        let version = UpdateVersion { e_tag: found.meta.e_tag.clone(), version: found.meta.version.clone() };
        Ok(Some(Found { bytes: found.bytes().await.map_err(failed)?, version }))
    }

    /// Creates an object. Returns `false` if it already exists.
    pub async fn create(&self, name: &str, bytes: impl Into<Bytes>) -> Result<bool, Error> {
        self.put(name, bytes.into(), PutMode::Create).await
    }

    /// Replaces the object that was read. Returns `false` if it was changed since. A directory cannot detect this:
    /// the last write wins.
    pub async fn replace(
        &self,
        name: &str,
        bytes: impl Into<Bytes>,
        seen: Option<&Found>,
    ) -> Result<bool, Error> {
        let mode = match (&self.store, seen) {
            (Store::Directory(_), _) => PutMode::Overwrite,
            (Store::Bucket { .. }, Some(seen)) => PutMode::Update(seen.version.clone()),
            (Store::Bucket { .. }, None) => PutMode::Create,
        };
        self.put(name, bytes.into(), mode).await
    }

    /// Writes an object, replacing an existing one.
    pub async fn put_over(&self, name: &str, bytes: impl Into<Bytes>) -> Result<(), Error> {
        self.put(name, bytes.into(), PutMode::Overwrite).await.map(drop)
    }

    /// When an object was last written; `None` if it does not exist.
    pub async fn put_at(&self, name: &str) -> Result<Option<Timestamp>, Error> {
        let failed = |source| self.failed("looking at", name, source);
        let (store, path) = self.at(name).await.map_err(failed)?;
        match store.head(&path).await {
            Ok(found) => Ok(Timestamp::from_second(found.last_modified.timestamp()).ok()),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// Deletes an object. Deleting a missing one is not an error.
    pub async fn delete(&self, name: &str) -> Result<(), Error> {
        let failed = |source| self.failed("deleting", name, source);
        let (store, path) = self.at(name).await.map_err(failed)?;
        match store.delete(&path).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    async fn put(&self, name: &str, bytes: Bytes, mode: PutMode) -> Result<bool, Error> {
        let failed = |source| self.failed("writing", name, source);
        let (store, path) = self.at(name).await.map_err(failed)?;
        let options = PutOptions { mode, ..PutOptions::default() };
        match store.put_opts(&path, PutPayload::from_bytes(bytes), options).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. }) => {
                Ok(false)
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// The directory is resolved each time and never created: if a disk is not mounted, nothing is written beside it.
    async fn at(&self, name: &str) -> Result<(Arc<dyn ObjectStore>, Path), object_store::Error> {
        match &self.store {
            Store::Bucket { store, prefix } => {
                let path = Path::parse(format!("{prefix}/{name}"))?;
                Ok((store.clone(), path))
            }
            Store::Directory(directory) => {
                let directory = directory.clone();
                // This blocks if the disk hangs, so it must not use a thread that others need.
                let open = move || LocalFileSystem::new_with_prefix(directory);
                let store = tokio::task::spawn_blocking(open).await??.with_fsync(true);
                Ok((Arc::new(store), Path::parse(name)?))
            }
        }
    }

    fn failed(&self, doing: &'static str, name: &str, source: object_store::Error) -> Error {
        let (name, place) = (name.to_owned(), self.place.clone());
        Error::Failed { doing, name, place, source: Box::new(source) }
    }
}

fn connect(mut builder: AmazonS3Builder) -> Result<AmazonS3, object_store::Error> {
    // The HTTP stack looks for a process-wide provider. An error only says that there already is one.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let endpoint = builder
        .get_config_value(&AmazonS3ConfigKey::S3Endpoint)
        .or_else(|| builder.get_config_value(&AmazonS3ConfigKey::Endpoint));
    // Elsewhere plain HTTP must be allowed explicitly: AWS_ALLOW_HTTP.
    if endpoint.is_some_and(|endpoint| is_loopback(&endpoint)) {
        builder = builder.with_allow_http(true);
    }
    builder
        .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), REQUEST)
        .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::ConnectTimeout), CONNECT)
        // One request per object: not every S3 server supports bulk deletion.
        .with_disable_bulk_delete(true)
        .with_retry(RetryConfig { max_retries: 2, retry_timeout: REPEAT_FOR, ..RetryConfig::default() })
        .build()
}

fn is_loopback(endpoint: &str) -> bool {
    match endpoint.parse::<Url>().ok().as_ref().and_then(Url::host) {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_directory_or_a_bucket_and_holds_no_secret() {
        for good in ["file:///var/lib/mirror", "s3://bucket", "s3://bucket/some/prefix"] {
            assert_eq!(Objects::parse(good).unwrap().place(), good);
        }
        for bad in [
            "",
            "/var/lib/mirror",
            "file://elsewhere/dir",
            "gs://bucket",
            "s3:///prefix",
            "s3://key:secret@bucket/prefix",
            "s3://bucket/prefix?secret=1",
        ] {
            assert!(matches!(Objects::parse(bad), Err(Error::Address)), "{bad}");
        }
    }

    #[test]
    fn plain_http_is_for_this_machine() {
        for near in ["http://127.0.0.1:5000", "http://localhost:9000/", "http://[::1]:9000"] {
            assert!(is_loopback(near), "{near}");
        }
        for far in ["http://10.0.0.1:9000", "http://localhost.example", "localhost"] {
            assert!(!is_loopback(far), "{far}");
        }
    }

    #[tokio::test]
    async fn what_is_there_is_not_put_again_and_a_missing_directory_is_not_made() {
        let directory = std::env::temp_dir().join(format!("objects-{}", std::process::id()));
        let objects = Objects::parse(&format!("file://{}", directory.display())).unwrap();
        assert!(objects.create("a/b", "one").await.is_err());
        assert!(!directory.exists());

        std::fs::create_dir(&directory).unwrap();
        assert!(objects.get("a/b", 10).await.unwrap().is_none());
        assert!(objects.create("a/b", "one").await.unwrap());
        assert!(!objects.create("a/b", "two").await.unwrap());
        let found = objects.get("a/b", 10).await.unwrap().unwrap();
        assert_eq!(found.bytes, "one");
        assert!(objects.replace("a/b", "three", Some(&found)).await.unwrap());
        assert!(matches!(objects.get("a/b", 4).await, Err(Error::TooLarge { .. })));
        objects.delete("a/b").await.unwrap();
        objects.delete("a/b").await.unwrap();
        std::fs::remove_dir_all(directory).unwrap();
    }
}
