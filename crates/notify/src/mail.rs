//! Mail: plain text, through the server that the operator configured.

use std::time::Duration;

use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor,
    message::{Mailbox, header::ContentType},
};
use secrecy::{ExposeSecret as _, SecretString};

use crate::{delivery::DeliveryError, message::MailText};

const TIMEOUT: Duration = Duration::from_secs(15);

/// The mail server. Cheap to clone. The operator chose it, so the guard of outbound requests does not apply.
#[derive(Clone)]
pub struct Mail {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Mail {
    /// From `smtp://` or `smtps://user:password@host:port`. An error is not described, because the address holds a password.
    pub fn new(url: &SecretString, from: &str) -> Option<Self> {
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url.expose_secret()).ok()?;
        Some(Self { transport: builder.timeout(Some(TIMEOUT)).build(), from: from.parse().ok()? })
    }

    /// Sends one mail. After a crash it is sent again with the same id, so most mail programs show it once.
    pub(crate) async fn send(
        &self,
        to: &str,
        id: &str,
        MailText { subject, body }: MailText,
    ) -> Result<(), DeliveryError> {
        let unwritable = || DeliveryError::new("the e-mail could not be created");
        let to: Address = to.parse().map_err(|_| unwritable())?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .subject(subject)
            .header(ContentType::TEXT_PLAIN)
            .body(body)
            .map_err(|_| unwritable())?;
        self.transport.send(message).await.map(drop).map_err(|error| DeliveryError::new(why(&error)))
    }
}

/// Whether a text is exactly one mail address.
pub(crate) fn is_address(text: &str) -> bool {
    text.len() <= 254 && text.is_ascii() && text.parse::<Address>().is_ok()
}

/// The reason of a failure, without any text of the server.
fn why(error: &lettre::transport::smtp::Error) -> String {
    match error.status() {
        Some(code) => format!("the mail server answered {code}"),
        None if error.is_timeout() => "the mail server did not answer in time".to_owned(),
        None => "the mail server could not be reached".to_owned(),
    }
}
