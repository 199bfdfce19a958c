//! Approvals: who may answer, how many answers are needed, and whether they still count at execution.

use jiff::Timestamp;
use model::{
    ActionAddress, ApiTokenId, ApprovalId, Decision, Digest, InvocationId, Mode, OrgId, Risk, Role, UserId,
};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{Error, Permit, Reading, store};

/// The organization's settings for approvals of R3 and R4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Number of approvals required for R3 and R4.
    pub quorum: u32,
    /// Whether those who propose an action are barred from approving it.
    pub four_eyes: bool,
    /// Whether approvals of R3 and R4 must be signed with a passkey.
    pub passkey: bool,
}

/// The requirements for an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needed {
    /// Number of approvals required.
    pub votes: u32,
    /// Whether only approvals that are signed with a passkey count.
    pub signed: bool,
}

impl Settings {
    /// The requirements for an action of this risk level, of which policies may ask for more people.
    pub fn needed(&self, risk: Risk, approvers: Option<u32>) -> Needed {
        let least = approvers.unwrap_or(1).max(1);
        if risk >= Risk::R3 {
            Needed { votes: self.quorum.max(least), signed: self.passkey }
        } else {
            Needed { votes: least, signed: false }
        }
    }

    /// Whether those who propose an action of this risk level may not answer it.
    pub fn bars_proposers(&self, risk: Risk) -> bool {
        self.four_eyes && risk >= Risk::R3
    }

    /// Whether this person may answer what these people propose: whoever opened the session, saved the automation or
    /// started the run.
    pub fn check_voter(&self, risk: Risk, voter: UserId, proposers: &[UserId]) -> Result<(), Error> {
        if self.bars_proposers(risk) && proposers.contains(&voter) {
            return Err(Error::FourEyes);
        }
        Ok(())
    }
}

/// Approved or denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    Approved,
    Denied,
}

impl Answer {
    /// The answer as it is written and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Denied => "denied",
        }
    }

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Approved, Self::Denied].into_iter().find(|answer| answer.as_str() == text)
    }
}

/// One person's answer to one invocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vote {
    pub id: ApprovalId,
    pub invocation: InvocationId,
    pub user: UserId,
    pub answer: Answer,
    /// `once`, `grant` or `always`.
    pub extent: String,
    /// `api`, `cli`, `web`, `slack`.
    pub channel: String,
    pub shown_digest: Digest,
    /// The subject that the person answered about.
    pub subject: Digest,
    pub note: String,
    pub at: Timestamp,
    /// What the person's passkey signed, as it stands in the receipt.
    pub assertion: Option<serde_json::Value>,
    /// How the person was signed in; `None` for older votes.
    pub known_by: Option<KnownBy>,
}

/// How a person who votes is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownBy {
    /// `api_token`, `browser` or `slack`.
    pub method: String,
    /// The token, or the sign-in of the browser.
    pub token: Option<ApiTokenId>,
    /// Since when they are signed in.
    pub since: Option<Timestamp>,
}

/// What a vote is about.
#[derive(Debug, Clone, Copy)]
pub struct Answered<'a> {
    pub address: &'a ActionAddress,
    /// The automation of a run, otherwise the session.
    pub proposer: Uuid,
}

/// A vote, with the current role of the person.
#[derive(Debug, Clone)]
pub struct Ballot {
    pub vote: Vote,
    /// `None` if the person is no longer a member.
    pub role: Option<Role>,
    /// Whether this vote is signed with a passkey of the person.
    pub signed: bool,
}

impl Permit {
    /// A permit for an approved invocation: policy must not deny it now, and enough of the people who approved
    /// exactly this must still be allowed to. Votes on another subject do not count. `Err` says what is missing.
    pub fn of_approval(
        decision: &Decision,
        ballots: &[Ballot],
        needed: Needed,
        subject: Digest,
    ) -> Result<Self, String> {
        if decision.mode == Mode::Deny || decision.quarantined {
            let refusals = decision.gates.iter().map(|gate| &gate.reason).filter(|reason| !reason.is_empty());
            let raised = decision.guardrails.iter().map(|change| &change.reason);
            let why = refusals.chain(raised).last().unwrap_or(&decision.reason);
            return Err(format!("approved, but no longer permitted: {why}"));
        }
        let yes = ballots.iter().filter(|ballot| ballot.vote.answer == Answer::Approved);
        let yes = yes.filter(|ballot| ballot.vote.subject == subject);
        let enough = |count: usize| u32::try_from(count).unwrap_or(u32::MAX) >= needed.votes;
        let still = yes.filter(|ballot| ballot.role >= Some(Role::Admin));
        if !enough(still.clone().count()) {
            return Err("the people who approved may no longer approve".to_owned());
        }
        if needed.signed && !enough(still.filter(|ballot| ballot.signed).count()) {
            return Err("not enough approvals are signed with a passkey".to_owned());
        }
        Ok(Self::new(subject))
    }
}

/// Adds a vote in the caller's transaction. A second vote of the same person is refused.
pub async fn add_vote(
    conn: &mut PgConnection,
    org: OrgId,
    vote: &Vote,
    of: &Answered<'_>,
    reading: Option<Reading>,
) -> Result<(), Error> {
    match store::approvals::insert(conn, org, vote, of, reading).await {
        Err(error) if error.constraint() == Some("approvals_vote_key") => Err(Error::AlreadyVoted),
        done => Ok(done?),
    }
}

/// The votes on invocations, in the order they came.
pub async fn votes(
    conn: &mut PgConnection,
    org: OrgId,
    invocations: &[InvocationId],
) -> Result<Vec<Vote>, Error> {
    Ok(store::approvals::list(conn, org, invocations).await?)
}

/// The votes among the last hundred answers to an action.
#[derive(Debug, Clone, Default)]
pub struct History {
    pub approved: u32,
    pub denied: u32,
    pub last: Option<Vote>,
}

/// The history of several actions, in their order.
pub async fn history(
    conn: &mut PgConnection,
    org: OrgId,
    addresses: &[ActionAddress],
) -> Result<Vec<History>, Error> {
    let mut all = Vec::with_capacity(addresses.len());
    for address in addresses {
        let last = store::approvals::list_of_action(conn, org, address).await?;
        let count = |answer| last.iter().filter(|vote| vote.answer == answer).count();
        all.push(History {
            approved: u32::try_from(count(Answer::Approved)).unwrap_or_default(),
            denied: u32::try_from(count(Answer::Denied)).unwrap_or_default(),
            last: last.into_iter().next(),
        });
    }
    Ok(all)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "permits are what is tested")]
mod tests {
    use super::*;

    const ALLOWED: &str = r#"{"mode":"require_approval","mode_source":"inferred","reason":"","guardrails":[],"gates":[],"quarantined":false}"#;

    fn ballot(user: u128, answer: Answer, shown: u8, role: Option<Role>) -> Ballot {
        let vote = Vote {
            id: ApprovalId::from_uuid(uuid::Uuid::from_u128(user)),
            invocation: InvocationId::from_uuid(uuid::Uuid::nil()),
            user: UserId::from_uuid(uuid::Uuid::from_u128(user)),
            answer,
            extent: "once".to_owned(),
            channel: "cli".to_owned(),
            shown_digest: Digest::from_bytes([shown; 32]),
            subject: Digest::from_bytes([shown; 32]),
            note: String::new(),
            at: Timestamp::UNIX_EPOCH,
            assertion: None,
            known_by: None,
        };
        Ballot { vote, role, signed: false }
    }

    #[test]
    fn a_yes_counts_while_the_person_may_and_for_what_was_shown() {
        use Answer::{Approved, Denied};
        let decision: Decision = serde_json::from_str(ALLOWED).unwrap();
        let denied = Decision { mode: Mode::Deny, ..decision.clone() };
        let (admin, owner, member) = (Some(Role::Admin), Some(Role::Owner), Some(Role::Member));
        for (decision, ballots, needed, permitted) in [
            (&decision, vec![ballot(1, Approved, 7, admin)], 1, true),
            (&decision, vec![ballot(1, Approved, 7, owner)], 1, true),
            (&decision, vec![], 1, false),
            (&decision, vec![ballot(1, Denied, 7, owner)], 1, false),
            (&decision, vec![ballot(1, Approved, 7, member)], 1, false),
            (&decision, vec![ballot(1, Approved, 7, None)], 1, false),
            (&decision, vec![ballot(1, Approved, 8, owner)], 1, false),
            (&decision, vec![ballot(1, Approved, 7, owner)], 2, false),
            (&decision, vec![ballot(1, Approved, 7, owner), ballot(2, Approved, 7, admin)], 2, true),
            (&decision, vec![ballot(1, Approved, 7, owner), ballot(2, Approved, 7, None)], 2, false),
            (&decision, vec![ballot(1, Approved, 7, owner), ballot(2, Approved, 8, owner)], 1, true),
            (&decision, vec![ballot(1, Approved, 7, owner), ballot(2, Approved, 8, owner)], 2, false),
            (&denied, vec![ballot(1, Approved, 7, owner)], 1, false),
        ] {
            let needed = Needed { votes: needed, signed: false };
            let permit = Permit::of_approval(decision, &ballots, needed, Digest::from_bytes([7; 32]));
            assert_eq!(permit.is_ok(), permitted, "{ballots:?}");
        }
    }

    #[test]
    fn where_a_passkey_is_asked_for_only_a_signed_yes_counts() {
        let decision: Decision = serde_json::from_str(ALLOWED).unwrap();
        let yes = |user, signed| Ballot { signed, ..ballot(user, Answer::Approved, 7, Some(Role::Owner)) };
        let permitted = |ballots: &[Ballot], signed| {
            let needed = Needed { votes: 2, signed };
            Permit::of_approval(&decision, ballots, needed, Digest::from_bytes([7; 32])).is_ok()
        };
        let half = [yes(1, true), yes(2, false)];
        assert!(permitted(&half, false));
        assert!(!permitted(&half, true));
        assert!(permitted(&[yes(1, true), yes(2, true)], true));
    }

    #[test]
    fn quorum_and_four_eyes_hold_for_what_is_hard_to_undo() {
        let settings = Settings { quorum: 2, four_eyes: true, passkey: true };
        let (a, b) =
            (UserId::from_uuid(uuid::Uuid::from_u128(1)), UserId::from_uuid(uuid::Uuid::from_u128(2)));
        for (risk, needed, own) in [(Risk::R2, 1, true), (Risk::R3, 2, false), (Risk::R4, 2, false)] {
            assert_eq!(settings.needed(risk, None), Needed { votes: needed, signed: risk >= Risk::R3 });
            assert_eq!(settings.check_voter(risk, a, &[a]).is_ok(), own);
            assert_eq!(settings.check_voter(risk, a, &[b, a]).is_ok(), own);
            assert!(settings.check_voter(risk, a, &[b]).is_ok());
        }
        assert!(Settings { four_eyes: false, ..settings }.check_voter(Risk::R4, a, &[a]).is_ok());
    }
}
