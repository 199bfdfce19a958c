//! How fakes of integrations are started, all alike, for programs that start every one of them.

use std::{future::Future, io, pin::Pin};

/// A fake of an integration.
pub trait Fake: Send + Sync + Sized + 'static {
    /// The integration it stands in for.
    const SLUG: &'static str;
    /// A read action that returns all of the service's response, with its parameters as JSON: `abuse/run 15` has it echo
    /// secrets.
    const READ: (&'static str, &'static str);

    /// Starts the fake on a port, 0 for any free one; requests must have this token.
    fn start_on(token: &str, port: u16) -> impl Future<Output = io::Result<Self>> + Send;

    /// Its address.
    fn url(&self) -> String;

    /// Adds data to work on, for scripts that cannot access the state.
    fn seed(&self) {}
}

/// A fake that runs until it is dropped.
pub struct Running {
    pub url: String,
    _fake: Box<dyn Send + Sync>,
}

type Starting = Pin<Box<dyn Future<Output = io::Result<Running>> + Send>>;

/// Starts a fake.
pub struct Starter {
    pub slug: &'static str,
    /// [`Fake::READ`].
    pub read: (&'static str, &'static str),
    start: fn(String, u16) -> Starting,
}

impl Starter {
    /// Starts the fake with data to work on.
    pub async fn start(&self, token: &str, port: u16) -> io::Result<Running> {
        (self.start)(token.to_owned(), port).await
    }
}

/// All fakes of integrations.
pub(super) const fn starter<F: Fake>() -> Starter {
    Starter { slug: F::SLUG, read: F::READ, start: start::<F> }
}

fn start<F: Fake>(token: String, port: u16) -> Starting {
    Box::pin(async move {
        let fake = F::start_on(&token, port).await?;
        fake.seed();
        Ok(Running { url: fake.url(), _fake: Box::new(fake) })
    })
}
