//! People are told where they are that something waits for them: in Slack, where they can answer, and by mail.
//!
//! Flow: event → [`Pipeline::follow_for_notices`] (a notice per notifier) → [`Pipeline::send_notices`] (claimed, sent, tried
//! again) → a click comes back to [`Pipeline::take_click`] → [`Pipeline::answer`] → event → the message is changed.
//!
//! INVARIANT: a message shows what is true when it is sent; what changed since is looked at again, so the last word wins.

mod click;
mod mail;
mod message;
mod notifiers;
mod slack;
mod store;

use std::time::Duration;

use events::Stretch;
use futures::StreamExt as _;
use jiff::Timestamp;
use model::{EventType, GrantRequestId, InvocationId, NoticeId, OrgId, SourceSlug};
use platform::db;
use url::Url;

use self::{
    message::{ASKED, Sheet},
    slack::Bot,
    store::{Claimed, Ended},
};
use crate::{Error, Pipeline};

pub use click::{Click, SIGNING_SECRET};
pub use mail::Mail;
pub use notifiers::{Kind, NewNotifier, Notifier, SlackPerson};

/// The name of the follower, in `event_followers`.
const FOLLOWER: &str = "notifier";
/// How many notices are taken up at once, and how many of them are sent at the same time.
const BATCH: i32 = 100;
const AT_ONCE: usize = 8;
/// How long one process has to send one notice; longer than sending can take.
const CLAIM: Duration = Duration::from_secs(60);
/// How long after a failure it is tried again: twice as long each time.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_secs(600);
const ATTEMPTS: i32 = 10;

/// Where news leave this process.
#[derive(Clone)]
pub struct Outlets {
    /// Slack.
    pub slack: Url,
    /// The mail server; without it nobody is told by mail.
    pub mail: Option<Mail>,
    /// Where people find the inbox, if they can reach it by an address.
    pub inbox: Option<Url>,
}

/// Why a message did not arrive, fit to be kept and shown: no word of a stranger's is in it.
#[derive(Debug, Clone)]
struct Undelivered {
    why: String,
    retry_after: Option<Duration>,
    /// Whether trying again cannot help.
    hopeless: bool,
}

impl Undelivered {
    fn new(why: impl Into<String>) -> Self {
        Self { why: why.into(), retry_after: None, hopeless: false }
    }
}

/// What was done about a notice.
enum Told {
    /// Its subject was over before.
    Moot,
    /// What is there is still right.
    Nothing,
    /// Somebody was told; by Slack's name for the message, where it has one.
    Sent(Option<(String, String)>, &'static str),
}

impl Pipeline {
    /// Turns events into notices until this process stops.
    pub async fn follow_for_notices(&self) {
        self.parts.events.follow(FOLLOWER, |stretch| self.note(stretch)).await;
    }

    async fn note(&self, stretch: Stretch) -> Result<(), events::Error> {
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
            // What an application publishes may be called like one of ours; nobody is told of it as if it were.
            if event.origin.application.is_some() {
                continue;
            }
            if !asks(&event.event_type) {
                changed.push(event.subject);
                continue;
            }
            for notifier in notifiers.iter().filter(|notifier| notifier.hears(event.space)) {
                let id = NoticeId::from_uuid(self.parts.world.uuid());
                due |= store::notice(&mut tx, (org, id), notifier.id, &event.subject, now).await?;
            }
        }
        changed.retain(|subject| !subject.is_empty());
        due |= store::mark_changed(&mut tx, org, &changed, now).await? > 0;
        db::commit(tx).await?;
        if due {
            // Not here: whoever follows the log must not wait for Slack.
            let pipeline = self.clone();
            self.parts.shutdown.spawn(async move {
                if let Err(error) = pipeline.send_notices().await {
                    tracing::warn!(error = &error as &dyn std::error::Error, "sending notices");
                }
            });
        }
        Ok(())
    }

    /// Sends what is due, in any org; says how many were taken up. A process that dies between Slack's yes and the commit
    /// after it leaves a notice that is sent a second time; a claim before sending keeps everybody else from doing so.
    pub async fn send_notices(&self) -> Result<usize, Error> {
        let now = self.parts.world.clock.now();
        let due = store::due(&mut *self.parts.db.unscoped().await?, now, BATCH).await?;
        let count = due.len();
        futures::stream::iter(due)
            .for_each_concurrent(AT_ONCE, |(org, id)| async move {
                if let Err(error) = self.send_notice(org, id).await {
                    tracing::warn!(notice = %id, error = &error as &dyn std::error::Error, "sending a notice");
                }
            })
            .await;
        Ok(count)
    }

    async fn send_notice(&self, org: OrgId, id: NoticeId) -> Result<(), Error> {
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        let claimed = store::claim(&mut tx, (org, id), (now, now + CLAIM)).await?;
        db::commit(tx).await?;
        let Some(claimed) = claimed else { return Ok(()) };
        let told = self.tell(org, &claimed).await?;
        let now = self.parts.world.clock.now();
        let ended = match &told {
            Ok(told) => ended_well(&claimed, told),
            Err(failure) => ended_badly(&claimed, failure, now),
        };
        let mut tx = self.parts.db.begin(org).await?;
        store::end(&mut tx, (org, id), &ended, now).await?;
        metrics::counter!("countersign_notices_total", "ended" => if told.is_ok() { "well" } else { "badly" })
            .increment(1);
        Ok(db::commit(tx).await?)
    }

    /// Brings what people see up to what is true.
    async fn tell(&self, org: OrgId, claimed: &Claimed) -> Result<Result<Told, Undelivered>, Error> {
        let Some(sheet) = self.sheet(org, &claimed.subject).await? else { return Ok(Ok(Told::Moot)) };
        if claimed.is_pending() && sheet.state != ASKED {
            return Ok(Ok(Told::Moot));
        }
        if claimed.shown.as_deref() == Some(sheet.state) {
            return Ok(Ok(Told::Nothing));
        }
        Ok(match (claimed.kind, &claimed.message) {
            // A mail cannot be taken back, and what never arrived cannot be changed.
            (Kind::Email, _) | (Kind::Slack, None) if !claimed.is_pending() => Ok(Told::Nothing),
            (Kind::Slack, Some((channel, ts))) => match self.bot(org).await? {
                Err(failure) => Err(failure),
                Ok(bot) => {
                    let message = sheet.to_slack(self.parts.outlets.inbox.as_ref());
                    bot.update((channel, ts), message).await.map(|()| Told::Sent(None, sheet.state))
                }
            },
            (kind, _) => {
                let told =
                    self.send_sheet(org, (kind, &claimed.target), &claimed.id.to_string(), &sheet).await?;
                told.map(|message| Told::Sent(message, sheet.state))
            }
        })
    }

    /// Sends something new.
    async fn send_sheet(
        &self,
        org: OrgId,
        (kind, target): (Kind, &str),
        id: &str,
        sheet: &Sheet,
    ) -> Result<Result<Option<(String, String)>, Undelivered>, Error> {
        let outlets = &self.parts.outlets;
        Ok(match (kind, &outlets.mail) {
            (Kind::Slack, _) => match self.bot(org).await? {
                Err(failure) => Err(failure),
                Ok(bot) => bot.post(target, sheet.to_slack(outlets.inbox.as_ref()), id).await.map(Some),
            },
            (Kind::Email, None) => Err(Undelivered::new("the operator named no mail server")),
            (Kind::Email, Some(mail)) => {
                mail.send(target, id, sheet.to_mail(outlets.inbox.as_ref())).await.map(|()| None)
            }
        })
    }

    /// Slack, with the org's own credential, opened for this moment.
    async fn bot(&self, org: OrgId) -> Result<Result<Bot<'_>, Undelivered>, Error> {
        let Ok(slug) = "slack".parse::<SourceSlug>() else { return Err(Error::NotFound("source")) };
        let credential = self.parts.tenancy.credential(org, &slug).await?;
        Ok(credential
            .map(|found| Bot {
                egress: &self.parts.egress,
                base: &self.parts.outlets.slack,
                token: found.token,
            })
            .ok_or_else(|| Undelivered::new("the org has not connected Slack")))
    }

    /// What there is to tell of a subject; `None` if it is nothing that is told.
    async fn sheet(&self, org: OrgId, subject: &str) -> Result<Option<Sheet>, Error> {
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        if let Ok(id) = subject.parse::<InvocationId>() {
            let Some(found) = crate::store::find(&mut tx, org, id).await? else { return Ok(None) };
            let needed = self.approval_settings(&mut tx, org).await?.needed(found.risk).votes;
            return Ok(Some(Sheet::of_invocation(&found, needed, now)));
        }
        let Ok(id) = subject.parse::<GrantRequestId>() else { return Ok(None) };
        let request = match self.parts.grants.request(org, id).await {
            Ok(request) => request,
            Err(policy::Error::NotFound) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let session = self.parts.tenancy.find_session(&mut tx, org, request.session).await?;
        let agent = session.map(|session| session.agent).unwrap_or_default();
        Ok(Some(Sheet::of_grant(&request, &agent, now)))
    }
}

fn asks(event_type: &str) -> bool {
    event_type == EventType::ApprovalRequested.as_str() || event_type == EventType::GrantRequested.as_str()
}

fn ended_well<'a>(claimed: &'a Claimed, told: &'a Told) -> Ended<'a> {
    let status = match told {
        Told::Moot if claimed.is_pending() => "moot",
        Told::Sent(..) => "sent",
        Told::Moot | Told::Nothing => &claimed.status,
    };
    let (message, shown) = match told {
        Told::Sent(message, shown) => {
            (message.as_ref().map(|(channel, ts)| (channel.as_str(), ts.as_str())), Some(*shown))
        }
        Told::Moot | Told::Nothing => (None, None),
    };
    Ended { status, message, shown, error: None, due_at: None }
}

fn ended_badly<'a>(claimed: &'a Claimed, failure: &'a Undelivered, now: Timestamp) -> Ended<'a> {
    let over = claimed.attempts >= ATTEMPTS || (failure.hopeless && !claimed.is_pending());
    let status = if over && claimed.is_pending() { "failed" } else { &claimed.status };
    let due_at = (!over).then(|| now + pause(claimed.attempts, failure.retry_after));
    Ended { status, message: None, shown: None, error: Some(&failure.why), due_at }
}

/// How long to wait after so many attempts, and no shorter than the target said.
fn pause(attempts: i32, retry_after: Option<Duration>) -> Duration {
    let doubled = FIRST_PAUSE.saturating_mul(1 << u32::try_from(attempts - 1).unwrap_or_default().min(10));
    doubled.max(retry_after.unwrap_or_default()).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_ten_minutes_and_are_no_shorter_than_asked_for() {
        let pauses: Vec<u64> = (1..=9).map(|attempts| pause(attempts, None).as_secs()).collect();
        assert_eq!(pauses, [5, 10, 20, 40, 80, 160, 320, 600, 600]);
        assert_eq!(pause(1, Some(Duration::from_secs(30))).as_secs(), 30);
        assert_eq!(pause(1, Some(Duration::from_secs(86_400))).as_secs(), 600);
    }
}
