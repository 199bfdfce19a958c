//! Notices: events become notices, one per notifier, and each is sent until it arrives.

use std::time::Duration;

use events::Stretch;
use futures::StreamExt as _;
use jiff::Timestamp;
use model::{EventType, GrantRequestId, InvocationId, NoticeId, OrgId, SourceSlug};
use pipeline::read;
use platform::db;

use crate::{
    delivery::DeliveryError,
    error::Error,
    message::{ASKED, Message},
    notifiers::Kind,
    parts::Notify,
    slack::{Bot, MessageRef},
    store::{self, Claimed, Ended, NewNotice},
};

/// The name of the follower, in `event_followers`.
const FOLLOWER: &str = "notifier";
/// How many due notices one call sends, and how many of them at the same time.
const SEND_LIMIT: i32 = 100;
const AT_ONCE: usize = 8;
/// How long one process has to send one notice; longer than sending can take.
const CLAIM: Duration = Duration::from_secs(60);
/// The delay before the first retry; it doubles each time.
const FIRST_DELAY: Duration = Duration::from_secs(5);
const MAX_DELAY: Duration = Duration::from_secs(600);
const MAX_ATTEMPTS: i32 = 10;

/// What sending a notice did.
enum Sent {
    /// Nothing was sent, because its subject was over before.
    Moot,
    /// Nothing was sent, because the message is still right.
    Unchanged,
    /// The message was posted or updated, with the state it shows.
    Message { new: Option<MessageRef>, shown: String },
}

/// The notifier and target of a new message.
pub(crate) struct Destination<'a> {
    pub(crate) kind: Kind,
    pub(crate) target: &'a str,
}

impl Notify {
    /// Turns events into notices until this process stops.
    pub async fn follow(&self) {
        self.parts.events.follow(FOLLOWER, |stretch| self.make_notices(stretch)).await;
    }

    async fn make_notices(&self, stretch: Stretch) -> Result<(), events::Error> {
        let (org, now) = (stretch.org, self.parts.world.clock.now());
        let notifiers = store::list_notifiers(&mut *self.parts.db.begin(org).await?, org).await?;
        if notifiers.is_empty() {
            return Ok(());
        }
        let found = self.parts.events.find(org, &stretch.events).await?;
        let mut tx = self.parts.db.begin(org).await?;
        let (mut changed, mut due) = (Vec::new(), false);
        for entry in found {
            let event = entry.event;
            // An application may publish events with the type of one of ours; people are not notified of those.
            if event.origin.application.is_some() {
                continue;
            }
            // A question that is asked again has a message already, which must show what is asked now.
            if !asks(&event.event_type) || event.data.get("changed").is_some() {
                changed.push(event.subject);
                continue;
            }
            for notifier in notifiers.iter().filter(|notifier| notifier.covers(event.space)) {
                let id = NoticeId::from_uuid(self.parts.world.uuid());
                let new = NewNotice { id, notifier: notifier.id, subject: &event.subject };
                due |= store::add_notice(&mut tx, org, &new, now).await?;
            }
        }
        changed.retain(|subject| !subject.is_empty());
        due |= store::mark_changed(&mut tx, org, &changed, now).await? > 0;
        db::commit(tx).await?;
        if due {
            // In a task of its own: the follower of the log must not wait for Slack.
            let notify = self.clone();
            self.parts.shutdown.spawn(async move {
                if let Err(error) = notify.send_due().await {
                    tracing::warn!(error = &error as &dyn std::error::Error, "sending notices failed");
                }
            });
        }
        Ok(())
    }

    /// Sends due notices of all orgs; returns how many were due. A claim keeps other processes from sending the same
    /// notice. If a process dies between Slack's answer and its commit, the notice is sent a second time.
    pub async fn send_due(&self) -> Result<usize, Error> {
        let now = self.parts.world.clock.now();
        let due = store::due(&mut *self.parts.db.unscoped().await?, now, SEND_LIMIT).await?;
        let count = due.len();
        futures::stream::iter(due)
            .for_each_concurrent(AT_ONCE, |(org, id)| async move {
                if let Err(error) = self.send(org, id).await {
                    tracing::warn!(notice = %id, error = &error as &dyn std::error::Error, "sending a notice failed");
                }
            })
            .await;
        Ok(count)
    }

    async fn send(&self, org: OrgId, id: NoticeId) -> Result<(), Error> {
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        let claimed = store::claim(&mut tx, org, id, now, now + CLAIM).await?;
        db::commit(tx).await?;
        let Some(claimed) = claimed else { return Ok(()) };
        let sent = self.update(org, &claimed).await?;
        let now = self.parts.world.clock.now();
        let ended = match &sent {
            Ok(sent) => ended_well(&claimed, sent),
            Err(failure) => ended_badly(&claimed, failure, now),
        };
        let mut tx = self.parts.db.begin(org).await?;
        store::end(&mut tx, org, id, &ended, now).await?;
        metrics::counter!("countersign_notices_total", "ended" => if sent.is_ok() { "well" } else { "badly" })
            .increment(1);
        Ok(db::commit(tx).await?)
    }

    /// Posts the message of a notice, or updates it to what is true now.
    async fn update(&self, org: OrgId, claimed: &Claimed) -> Result<Result<Sent, DeliveryError>, Error> {
        let Some(message) = self.message(org, &claimed.subject).await? else { return Ok(Ok(Sent::Moot)) };
        if claimed.is_pending() && message.state != ASKED {
            return Ok(Ok(Sent::Moot));
        }
        let shown = message.version();
        if claimed.shown.as_deref() == Some(&shown) {
            return Ok(Ok(Sent::Unchanged));
        }
        Ok(match (claimed.kind, &claimed.message) {
            // A mail cannot be changed, nor can a message that never arrived.
            (Kind::Email, _) | (Kind::Slack, None) if !claimed.is_pending() => Ok(Sent::Unchanged),
            (Kind::Slack, Some(posted)) => match self.bot(org).await? {
                Err(failure) => Err(failure),
                Ok(bot) => {
                    let content = message.to_slack(self.parts.outlets.inbox.as_ref());
                    bot.update(posted, content).await.map(|()| Sent::Message { new: None, shown })
                }
            },
            (kind, _) => {
                let to = Destination { kind, target: &claimed.target };
                let posted = self.send_message(org, to, &claimed.id.to_string(), &message).await?;
                posted.map(|new| Sent::Message { new, shown })
            }
        })
    }

    /// Sends a new message.
    pub(crate) async fn send_message(
        &self,
        org: OrgId,
        to: Destination<'_>,
        id: &str,
        message: &Message,
    ) -> Result<Result<Option<MessageRef>, DeliveryError>, Error> {
        let outlets = &self.parts.outlets;
        Ok(match (to.kind, &outlets.mail) {
            (Kind::Slack, _) => match self.bot(org).await? {
                Err(failure) => Err(failure),
                Ok(bot) => bot.post(to.target, message.to_slack(outlets.inbox.as_ref()), id).await.map(Some),
            },
            (Kind::Email, None) => Err(DeliveryError::new("no mail server is configured")),
            (Kind::Email, Some(mail)) => {
                mail.send(to.target, id, message.to_mail(outlets.inbox.as_ref())).await.map(|()| None)
            }
        })
    }

    /// Slack with the org's own credential, opened for this call.
    pub(crate) async fn bot(&self, org: OrgId) -> Result<Result<Bot<'_>, DeliveryError>, Error> {
        let Ok(slug) = "slack".parse::<SourceSlug>() else { return Err(Error::NotFound("source")) };
        let credential = self.parts.tenancy.credential(org, &slug).await?;
        Ok(credential
            .map(|found| Bot {
                egress: &self.parts.egress,
                base: &self.parts.outlets.slack,
                token: found.token,
            })
            .ok_or_else(|| DeliveryError::new("Slack is not connected")))
    }

    /// The message about a subject; `None` if people are not notified of it.
    async fn message(&self, org: OrgId, subject: &str) -> Result<Option<Message>, Error> {
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        if let Ok(id) = subject.parse::<InvocationId>() {
            let Some(found) = read::find(&mut tx, org, id).await? else { return Ok(None) };
            let settings = self.parts.reader.approval_settings(&mut tx, org).await?;
            drop(tx);
            let shown = self.parts.reader.show(org, id, None).await?;
            return Ok(Some(match shown {
                Some(shown) => Message::of_document(
                    &found,
                    &shown,
                    settings.needed(found.risk, found.decision.approvers).votes,
                    now,
                ),
                None => Message::of_invocation(&found, now),
            }));
        }
        let Ok(id) = subject.parse::<GrantRequestId>() else { return Ok(None) };
        let request = match self.parts.grants.request(org, id).await {
            Ok(request) => request,
            Err(policy::Error::NotFound) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let session = self.parts.tenancy.find_session(&mut tx, org, request.session).await?;
        let agent = session.map(|session| session.agent).unwrap_or_default();
        Ok(Some(Message::of_grant(&request, &agent, now)))
    }
}

fn asks(event_type: &str) -> bool {
    event_type == EventType::ApprovalRequested.as_str() || event_type == EventType::GrantRequested.as_str()
}

fn ended_well<'a>(claimed: &'a Claimed, sent: &'a Sent) -> Ended<'a> {
    let (status, message, shown) = match sent {
        Sent::Moot if claimed.is_pending() => ("moot", None, None),
        Sent::Moot | Sent::Unchanged => (claimed.status.as_str(), None, None),
        Sent::Message { new, shown } => ("sent", new.as_ref(), Some(shown.as_str())),
    };
    Ended { status, message, shown, error: None, due_at: None }
}

fn ended_badly<'a>(claimed: &'a Claimed, failure: &'a DeliveryError, now: Timestamp) -> Ended<'a> {
    let over = claimed.attempts >= MAX_ATTEMPTS || (failure.permanent && !claimed.is_pending());
    let status = if over && claimed.is_pending() { "failed" } else { &claimed.status };
    let due_at = (!over).then(|| now + delay(claimed.attempts, failure.retry_after));
    Ended { status, message: None, shown: None, error: Some(&failure.why), due_at }
}

/// The delay after so many attempts, no shorter than the target asked for.
fn delay(attempts: i32, retry_after: Option<Duration>) -> Duration {
    let doubled = FIRST_DELAY.saturating_mul(1 << u32::try_from(attempts - 1).unwrap_or_default().min(10));
    doubled.max(retry_after.unwrap_or_default()).min(MAX_DELAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_ten_minutes_and_are_no_shorter_than_asked_for() {
        let delays: Vec<u64> = (1..=9).map(|attempts| delay(attempts, None).as_secs()).collect();
        assert_eq!(delays, [5, 10, 20, 40, 80, 160, 320, 600, 600]);
        assert_eq!(delay(1, Some(Duration::from_secs(30))).as_secs(), 30);
        assert_eq!(delay(1, Some(Duration::from_secs(86_400))).as_secs(), 600);
    }
}
