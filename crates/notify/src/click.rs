//! Clicks: the requests of Slack when someone presses a button.
//!
//! INVARIANT: nothing of a click is read before its signature is checked, and one click counts once.
//! INVARIANT: a click may do what its person may do at this moment, to exactly what the message showed.
//! The `response_url` in a click is never called: the sender of the click chooses it.

use std::time::Duration;

use changes::{Author, Method};
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use model::{Actor, Digest, Disposition, InvocationId, MemberKind, OrgId, Role, Status};
use pipeline::{Answer, Extent, GivenAnswer, Invocation, Voter};
use platform::db;
use secrecy::ExposeSecret as _;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tenancy::SLACK_SIGNING_SECRET;

use crate::{
    error::Error,
    message::{APPROVE, DENY, escaped, parse_value},
    parts::Notify,
    slack::MessageRef,
    store,
};

/// How old a click may be, or how far ahead of our clock.
const TOLERANCE_S: u64 = 300;
/// How long a click is recorded: longer than one can be valid.
const REMEMBERED: Duration = Duration::from_secs(600);
/// The largest body of a click.
const MAX_BYTES: usize = 64 * 1024;
/// The text for a click that could not be handled.
const FAILED: &str = "Something went wrong. Use the inbox instead.";
/// Slack waits three seconds for an answer.
const PATIENCE: Duration = Duration::from_millis(2_500);

/// A click as it was received.
#[derive(Debug, Clone, Copy)]
pub struct Click<'a> {
    /// `X-Slack-Request-Timestamp`.
    pub timestamp: &'a str,
    /// `X-Slack-Signature`.
    pub signature: &'a str,
    pub content_type: &'a str,
    pub body: &'a [u8],
}

/// A press of one of our buttons.
struct ButtonPress {
    slack_user: String,
    /// The message with the button.
    message: MessageRef,
    approves: bool,
    invocation: InvocationId,
    shown: Digest,
}

impl Notify {
    /// Handles a click; returns the text for the person who clicked. An unknown org, one that accepts no clicks, and a wrong
    /// signature are the same error.
    pub async fn receive_click(&self, org: OrgId, click: Click<'_>) -> Result<String, Error> {
        self.check_signature(org, click).await?;
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        let taken = store::note_click(&mut tx, org, &Sha256::digest(click.signature), now).await?;
        db::commit(tx).await?;
        if !taken {
            return Err(Error::ClickReplayed);
        }
        self.receive_checked_click(org, click).await
    }

    /// Checks that Slack signed this for the org, recently. The same work is done whether or not there is a secret.
    async fn check_signature(&self, org: OrgId, click: Click<'_>) -> Result<(), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let found =
            self.parts.tenancy.sealed_secrets(&mut tx, org, &[SLACK_SIGNING_SECRET.to_owned()]).await?;
        drop(tx);
        let secret = match found.get(SLACK_SIGNING_SECRET) {
            None => None,
            Some(kept) => Some(self.parts.tenancy.open_credential(org, kept).await?.token),
        };
        let key = secret.as_ref().map_or(&[0; 32][..], |secret| secret.expose_secret().as_bytes());
        let is_signed = is_signature(key, click);
        let is_fresh = is_fresh(click.timestamp, self.parts.world.clock.now());
        if secret.is_some() & is_signed & is_fresh { Ok(()) } else { Err(Error::Unsigned) }
    }

    /// Handles a click whose signature was checked. This function trusts the click.
    pub async fn receive_checked_click(&self, org: OrgId, click: Click<'_>) -> Result<String, Error> {
        let press = read(click)?;
        let mut tx = self.parts.db.begin(org).await?;
        if !store::is_ours(&mut tx, org, &press.invocation.to_string(), &press.message).await? {
            // Or the process that sent the message has not committed yet.
            return Ok("Not counted: unknown message. If it has just arrived, click again.".to_owned());
        }
        let voter = match store::find_person(&mut tx, org, &press.slack_user).await? {
            None => None,
            Some(user) => self.parts.tenancy.members_by_id(&mut tx, org, &[user]).await?.remove(&user),
        };
        drop(tx);
        let told = match voter {
            None => {
                "Your Slack account is not linked to a member. Ask an owner to run `countersign slack link`."
                    .to_owned()
            }
            Some(member) if member.role < Role::Admin || member.kind != MemberKind::Person => {
                "Only admins and owners can answer.".to_owned()
            }
            Some(member) => {
                let author = Author::person(Actor { org, user: member.user }, Method::Slack, None);
                let (user, role) = (member.user, member.role);
                let voter = Voter { user, author, role, channel: "slack", since: None, signed: None };
                self.answer_click(org, &press, voter).await
            }
        };
        self.tell_later(org, &press, &told);
        Ok(told)
    }

    /// Answers as the API would, and continues after Slack stops waiting.
    async fn answer_click(&self, org: OrgId, press: &ButtonPress, voter: Voter) -> String {
        let answer = if press.approves {
            Answer::Approve { extent: Extent::Once, condition: None, note: String::new() }
        } else {
            Answer::Deny { reason: String::new() }
        };
        let given = GivenAnswer { invocation: press.invocation, voter, shown: press.shown, answer };
        let approvals = self.parts.approvals.clone();
        let answering = self.parts.shutdown.finish(async move { approvals.answer(org, given).await });
        match tokio::time::timeout(PATIENCE, answering).await {
            Err(_) => "This takes longer than usual. See the inbox for the result.".to_owned(),
            Ok(None) => FAILED.to_owned(),
            Ok(Some(Ok(answered))) => in_words(&answered),
            Ok(Some(Err(error))) => match error.disposition() {
                Disposition::Bug | Disposition::Retry | Disposition::Terminal => {
                    tracing::error!(error = &error as &dyn std::error::Error, "answering a click failed");
                    FAILED.to_owned()
                }
                _ => format!("Not counted: {error}."),
            },
        }
    }

    /// Slack does not show the response to a click, so the person gets a message that only they see.
    fn tell_later(&self, org: OrgId, press: &ButtonPress, told: &str) {
        let (notify, text) = (self.clone(), escaped(told));
        let (channel, user) = (press.message.channel.clone(), press.slack_user.clone());
        self.parts.shutdown.spawn(async move {
            if let Ok(Ok(bot)) = notify.bot(org).await
                && let Err(failure) = bot.tell_privately(&channel, &user, &text).await
            {
                tracing::debug!(why = failure.why, "telling what became of a click");
            }
        });
    }

    /// Deletes clicks that are too old to be replayed.
    pub async fn purge_clicks(&self) -> Result<i64, Error> {
        let before = self.parts.world.clock.now() - REMEMBERED;
        Ok(store::purge_clicks(&mut *self.parts.db.unscoped().await?, before).await?)
    }
}

fn in_words(answered: &Invocation) -> String {
    match answered.status {
        Status::Pending => "Counted. Another approval is needed.".to_owned(),
        Status::Approved => "Approved. The action is being executed.".to_owned(),
        Status::Denied => "Denied.".to_owned(),
        other => format!("The invocation is {}.", other.as_str()),
    }
}

/// `v0=` and the HMAC of `v0:timestamp:body`, compared without telling how much of it is right.
fn is_signature(key: &[u8], click: Click<'_>) -> bool {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return false };
    mac.update(b"v0:");
    mac.update(click.timestamp.as_bytes());
    mac.update(b":");
    mac.update(click.body);
    let mut given = [0; 32];
    let digits = click.signature.strip_prefix("v0=").unwrap_or_default();
    // One spelling per signature, or a replay could be written otherwise.
    let well_formed = hex::decode_to_slice(digits, &mut given).is_ok()
        && digits.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase());
    mac.verify_slice(&given).is_ok() & well_formed
}

/// Whether a time in whole seconds is close enough to now.
fn is_fresh(timestamp: &str, now: Timestamp) -> bool {
    let digits = (1..=12).contains(&timestamp.len()) && timestamp.bytes().all(|b| b.is_ascii_digit());
    let said = timestamp.parse::<i64>().ok().filter(|_| digits);
    said.is_some_and(|said| said.abs_diff(now.as_second()) <= TOLERANCE_S)
}

/// Parses a click strictly: one field `payload`, of JSON without duplicate keys, for one press of one of our buttons.
fn read(click: Click<'_>) -> Result<ButtonPress, Error> {
    let malformed = |message: &str| Error::Malformed { pointer: String::new(), message: message.to_owned() };
    let kind = click.content_type.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(malformed("a click must be a form"));
    }
    let mut fields = url::form_urlencoded::parse(click.body);
    let payload = match (fields.next(), fields.next()) {
        (Some((name, payload)), None) if name == "payload" => payload,
        _ => return Err(malformed("a click must have exactly one field, `payload`")),
    };
    let payload = receipt::parse_strict(payload.as_bytes(), MAX_BYTES)
        .map_err(|_| malformed("the payload is not JSON without repeated keys"))?;
    pressed(&payload).ok_or_else(|| malformed("this is not a click on a button of this gateway"))
}

fn pressed(payload: &Value) -> Option<ButtonPress> {
    let text = |pointer: &str| payload.pointer(pointer)?.as_str().map(ToOwned::to_owned);
    let [action] = payload.get("actions")?.as_array()?.as_slice() else { return None };
    let approves = match action.get("action_id")?.as_str()? {
        APPROVE => true,
        DENY => false,
        _ => return None,
    };
    (text("/type")? == "block_actions").then_some(())?;
    let (invocation, shown) = parse_value(action.get("value")?.as_str()?)?;
    Some(ButtonPress {
        slack_user: text("/user/id")?,
        message: MessageRef { channel: text("/container/channel_id")?, ts: text("/container/message_ts")? },
        approves,
        invocation,
        shown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in Slack's own description of how requests are signed.
    #[test]
    fn slacks_own_example_verifies_and_no_other_spelling_of_it() {
        let body = b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
        let right = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
        let key = b"8f742231b10e8888abcd99yyyzzz85a5";
        let click =
            |signature| Click { timestamp: "1531420618", signature, content_type: "", body: body.as_slice() };
        assert!(is_signature(key, click(right)));
        for wrong in [
            "",
            "v0=",
            &right[3..],
            &right.to_uppercase(),
            &format!("{right}00"),
            &right.replace("v0=a", "v0=A"),
        ] {
            assert!(!is_signature(key, click(wrong)), "{wrong}");
        }
    }

    #[test]
    fn a_moment_is_whole_seconds_within_five_minutes() {
        let now = Timestamp::from_second(1_000_000).unwrap();
        for (text, fresh) in [
            ("1000000", true),
            ("999700", true),
            ("1000300", true),
            ("999699", false),
            ("1000301", false),
            ("+1000000", false),
            ("-1", false),
            ("1000000.0", false),
            ("", false),
            ("99999999999999999999", false),
        ] {
            assert_eq!(is_fresh(text, now), fresh, "{text}");
        }
    }
}
