//! Mails: plain text, through the one server the operator named.

use std::time::Duration;

use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor,
    message::{Mailbox, header::ContentType},
};
use secrecy::{ExposeSecret as _, SecretString};

use super::Undelivered;

const TIMEOUT: Duration = Duration::from_secs(15);

/// The way out for mail. Cheap to clone. It is the operator's server, so no guard stands before it.
#[derive(Clone)]
pub struct Mail {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Mail {
    /// Through `smtp://` or `smtps://user:password@host:port`. What is wrong with it is not told: it holds a password.
    pub fn new(url: &SecretString, from: &str) -> Option<Self> {
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url.expose_secret()).ok()?;
        Some(Self { transport: builder.timeout(Some(TIMEOUT)).build(), from: from.parse().ok()? })
    }

    /// Sends one mail. Sent again after a crash it has the same id, so many readers show it once.
    pub(super) async fn send(
        &self,
        to: &str,
        id: &str,
        (subject, body): (String, String),
    ) -> Result<(), Undelivered> {
        let unwritable = || Undelivered::new("the mail could not be written");
        let to: Address = to.parse().map_err(|_| unwritable())?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .subject(subject)
            .header(ContentType::TEXT_PLAIN)
            .body(body)
            .map_err(|_| unwritable())?;
        self.transport.send(message).await.map(drop).map_err(|error| Undelivered::new(why(&error)))
    }
}

/// Whether a text is an address, and nothing but one.
pub(super) fn is_address(text: &str) -> bool {
    text.len() <= 254 && text.is_ascii() && text.parse::<Address>().is_ok()
}

/// What went wrong, without a word of the server's.
fn why(error: &lettre::transport::smtp::Error) -> String {
    match error.status() {
        Some(code) => format!("the mail server answered {code}"),
        None if error.is_timeout() => "the mail server did not answer in time".to_owned(),
        None => "the mail server could not be reached".to_owned(),
    }
}
