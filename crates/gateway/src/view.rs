//! Conversions from domain types to API types.

use std::collections::HashMap;

use api::{
    ActionView, ApprovalItem, AudienceView, CatalogView, ChangeAuthor, ChangeView, ConnectionView,
    DecisionView, FailureView, GrantRequestView, GrantView, HistoryView, InboxItem, InvocationView, MeView,
    MemberView, OrgChoiceView, OrgView, ProposedChangeView, ProposedPart, QuarantinedItem, ReceiptView,
    RuleView, SecretView, SessionView, SourceView, SpaceMemberView, SpaceView, TokenView, UnknownItem,
    VoteView,
};
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use jiff::Timestamp;
use model::{Decision, Drift, MemberKind, OrgId, Role, UserId};
use oversight::{Available, Inbox, Waiting};
use pipeline::{Invocation, read::why};
use policy::{Grant, GrantRequest, GrantScope, RuleScope, StoredRule, Vote};
use serde::Serialize;

use crate::App;

/// The problem of a source without a credential.
pub(crate) const NOT_CONNECTED: &str = "not connected: ask an admin to run `countersign connections add`";

pub(crate) fn failure(found: model::Failure) -> FailureView {
    FailureView { class: found.class, message: found.message, sent: found.sent }
}

pub(crate) fn invocation(found: Invocation) -> InvocationView {
    InvocationView {
        untrusted: found.is_untrusted(),
        id: found.id,
        session: found.session,
        space: found.space,
        run: found.run.as_ref().map(|run| run.run),
        automation: found.run.as_ref().map(|run| run.automation),
        agent: found.agent,
        action: found.address.to_string(),
        risk: found.risk,
        status: found.status,
        mode: found.decision.mode,
        decision: found.decision,
        params: found.params,
        dry_run: found.dry_run,
        preview: found.preview,
        result: found.result,
        error: found.failure.map(failure),
        attempts: found.attempts,
        replayed: found.replayed,
        idempotency_key: found.idempotency_key,
        receipt: found.receipt,
        reason: found.reason,
        edits: found.edits.into_iter().map(|edit| edit.shown).collect(),
        released_as: found.released_as,
        erased_at: found.erased_at,
        subject_digest: found.subject_digest.to_string(),
        requested_at: found.requested_at,
        finished_at: found.finished_at,
        expires_at: found.expires_at,
    }
}

pub(crate) fn catalog(found: Available) -> CatalogView {
    let sources = found.sources.into_iter().map(|source| SourceView {
        source: source.slug,
        connected: source.connected,
        problem: (!source.connected).then(|| NOT_CONNECTED.to_owned()).or(source.error),
    });
    let actions = found.actions.into_iter().map(|found| {
        let definition = &found.action.definition;
        ActionView {
            action: definition.address.to_string(),
            description: definition.description.clone(),
            risk: definition.risk,
            effect: definition.effect,
            mode: found.decision.mode,
            reason: reason(&found.decision),
            drift: Some(found.action.drift).filter(|drift| *drift != Drift::None),
            undo: definition.undo.clone(),
            input_schema: catalog::allowing_references(&definition.input_schema),
        }
    });
    CatalogView { sources: sources.collect(), actions: actions.collect() }
}

/// The reason for a mode: that of the last step that changed it.
pub(crate) fn reason(decision: &Decision) -> String {
    let refused = decision.gates.iter().find(|gate| !gate.reason.is_empty()).map(|gate| &gate.reason);
    let raised = decision.guardrails.last().map(|change| &change.reason);
    refused.or(raised).unwrap_or(&decision.reason).clone()
}

pub(crate) fn session(found: tenancy::Session) -> SessionView {
    SessionView {
        id: found.id,
        space: found.space,
        kind: found.kind,
        agent: found.agent,
        title: found.title,
        capabilities: found.capabilities,
        created_by: found.created_by,
        created_at: found.created_at,
        expires_at: found.expires_at,
        ended_at: found.ended_at,
    }
}

pub(crate) fn space_member(found: tenancy::SpaceMember) -> SpaceMemberView {
    SpaceMemberView {
        user: found.user,
        name: found.name,
        role: found.role,
        kind: found.kind,
        capabilities: found.capabilities,
        added_at: found.added_at,
    }
}

pub(crate) fn space(found: tenancy::Space, may_open: bool) -> SpaceView {
    SpaceView {
        id: found.id,
        slug: found.slug,
        name: found.name,
        risk_band: found.risk_band,
        outbound_redaction: found.outbound_redaction,
        open_to: found.open_to,
        may_open,
    }
}

pub(crate) fn member(found: tenancy::Member) -> MemberView {
    MemberView {
        user: found.user,
        email: (found.kind == MemberKind::Person).then_some(found.email),
        name: found.name,
        role: found.role,
        kind: found.kind,
        joined_at: found.joined_at,
        invited_by: found.vouched.and_then(|vouched| vouched.by),
    }
}

/// A person, with the organizations that they can switch to.
pub(crate) async fn me(app: &App, person: &tenancy::Person) -> Result<MeView, crate::problem::Answer> {
    let org = app.tenancy.org(person.org).await?;
    let member = app.tenancy.member(person.org, person.user).await?;
    let orgs = match person.browser {
        Some(tenancy::Browser::Identity) => app.tenancy.orgs_of(person.user).await?,
        // A token is valid only in its organization.
        _ => Vec::new(),
    };
    let orgs = orgs.into_iter().map(|choice| OrgChoiceView {
        slug: choice.slug,
        name: choice.name,
        role: choice.role,
    });
    Ok(MeView {
        org: person.org,
        org_slug: Some(org.slug),
        org_name: Some(org.name),
        user: Some(person.user),
        name: Some(member.name),
        email: Some(member.email),
        role: Some(person.role),
        session: None,
        upgraded_at: org.upgraded_at.filter(|at| person.role >= Role::Admin && member.joined_at < *at),
        orgs: orgs.collect(),
    })
}

pub(crate) fn token(found: tenancy::TokenInfo) -> TokenView {
    TokenView {
        id: found.id,
        user: found.user,
        name: found.name,
        created_at: found.created_at,
        expires_at: found.expires_at,
        revoked_at: found.revoked_at,
        last_used_at: found.last_used_at,
        browser: found.browser.is_some(),
    }
}

pub(crate) fn secret(found: tenancy::SecretInfo) -> SecretView {
    SecretView {
        id: found.id,
        name: found.name,
        version: found.version,
        set_by: found.set_by,
        updated_at: found.updated_at,
        audience: found
            .audience
            .into_iter()
            .map(|allowed| AudienceView {
                source: allowed.source,
                origin: allowed.origin,
                allowed_by: allowed.allowed_by,
            })
            .collect(),
    }
}

pub(crate) fn connection(found: tenancy::ConnectionInfo) -> ConnectionView {
    ConnectionView {
        id: found.id,
        provider: found.provider,
        name: found.name,
        version: found.version,
        set_by: found.set_by,
        updated_at: found.updated_at,
    }
}

/// The response about an unfinished invocation, with its address.
pub(crate) fn accepted(place: &str, body: impl Serialize) -> Response {
    let mut response = (StatusCode::ACCEPTED, Json(body)).into_response();
    // IDs are always valid in a header.
    if let Ok(place) = HeaderValue::from_str(place) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    response
}

pub(crate) fn rule(found: StoredRule) -> RuleView {
    let automation = match found.rule.scope {
        RuleScope::Org => None,
        RuleScope::Automation(id) => Some(id),
    };
    RuleView {
        id: found.id,
        action: found.rule.key(),
        mode: found.rule.mode,
        reason: found.rule.reason,
        automation,
        condition: found.rule.condition.as_ref().map(|condition| condition.source().clone()),
        where_words: found.rule.condition.as_ref().map(policy::Condition::words),
        step: found.rule.step,
        set_by: found.set_by,
        updated_at: found.updated_at,
    }
}

pub(crate) fn receipt(found: ledger::Stored) -> ReceiptView {
    let (envelope, kept) = match found.body {
        ledger::Body::Whole { envelope, .. } => (serde_json::to_value(envelope).ok(), None),
        ledger::Body::Erased(kept) => (None, serde_json::to_value(kept).ok()),
    };
    ReceiptView {
        id: found.entry.id,
        invocation: found.entry.invocation,
        session: found.entry.session,
        action: found.entry.action.to_string(),
        status: found.entry.status,
        finished_at: found.entry.finished_at,
        envelope,
        kept,
    }
}

/// A change record. A stored one that cannot be read is an error of the store.
pub(crate) fn change(found: &changes::Stored) -> Result<ChangeView, ledger::Error> {
    let damaged = || platform::db::Error::Inconsistent { column: "changes.payload" };
    let change: receipt::Change = serde_json::from_slice(&found.payload).map_err(|_| damaged())?;
    let person = |id: Option<&str>| id.map(str::parse).transpose().map_err(|_| damaged());
    let user = person(change.by.user.as_deref())?;
    let countersigned_by = person(change.by.countersigned_by.as_deref())?;
    Ok(ChangeView {
        id: found.id,
        change: change.change,
        subject: change.subject,
        name: change.name,
        by: ChangeAuthor { user, method: change.by.method, token: change.by.token, countersigned_by },
        address: change.address,
        reason: change.reason,
        before: change.before,
        after: change.after,
        at: change.at.parse().map_err(|_| damaged())?,
        envelope: serde_json::to_value(&found.envelope).ok(),
    })
}

type Names = HashMap<UserId, String>;

pub(crate) fn inbox(found: Inbox, now: Timestamp) -> Vec<InboxItem> {
    let names = found.names;
    let items = found.items.into_iter().map(|item| match item {
        Waiting::Approval(waiting) => {
            let changed = waiting.invocation.changed.clone();
            let turn = waiting.invocation.turn;
            let invocation = invocation(waiting.invocation);
            InboxItem::Approval(Box::new(ApprovalItem {
                shown: waiting.shown,
                why: why(&invocation.decision),
                changed,
                votes_needed: waiting.votes_needed,
                passkey_needed: waiting.passkey_needed,
                votes: waiting.votes.into_iter().map(|cast| vote(cast, &names)).collect(),
                undo: waiting.undo,
                history: HistoryView {
                    approved: waiting.history.approved,
                    denied: waiting.history.denied,
                    last: waiting.history.last.map(|cast| vote(cast, &names)),
                },
                description: waiting.description,
                only_once: waiting.only_once,
                turn,
                invocation,
            }))
        }
        Waiting::Grant { request, agent } => {
            InboxItem::GrantRequest(Box::new(grant_request(*request, agent, now)))
        }
        Waiting::Quarantined { invocation: found, held, session_over } => {
            let invocation = invocation(*found);
            let gates = invocation.decision.gates.iter().map(|gate| gate.reason.clone());
            let over = "the session has ended; the agent can propose it again in a new one";
            InboxItem::Quarantined(Box::new(QuarantinedItem {
                why: gates.filter(|reason| !reason.is_empty()).collect(),
                only_discard: session_over.then(|| over.to_owned()),
                held_until: held.until,
                turn: held.position.turn,
                invocation,
            }))
        }
        Waiting::Unknown { invocation: found, undo } => {
            InboxItem::Unknown(Box::new(UnknownItem { invocation: invocation(*found), undo }))
        }
    });
    items.collect()
}

/// All steps of a decision, as sentences.
pub(crate) fn steps(decision: &Decision) -> Vec<String> {
    let mut steps = vec![format!("{}: {}", decision.mode_source.as_str(), decision.reason)];
    steps.extend(
        decision
            .guardrails
            .iter()
            .map(|change| format!("{}: {}, {}", change.guardrail.as_str(), change.words(), change.reason)),
    );
    steps.extend(decision.gates.iter().map(|gate| {
        let said = if gate.reason.is_empty() { String::new() } else { format!(", {}", gate.reason) };
        format!("gate {}: {}{said}", gate.gate, gate.verdict.as_str())
    }));
    steps.push(format!("so: {}", decision.mode.as_str()));
    steps
}

pub(crate) fn decision(found: &Invocation, votes: Vec<Vote>, names: &Names) -> DecisionView {
    DecisionView {
        invocation: found.id,
        action: found.address.to_string(),
        steps: steps(&found.decision),
        decision: found.decision.clone(),
        votes: votes.into_iter().map(|cast| vote(cast, names)).collect(),
    }
}

fn vote(cast: Vote, names: &Names) -> VoteView {
    VoteView {
        id: cast.id,
        user: cast.user,
        name: names.get(&cast.user).cloned().unwrap_or_else(|| "a former member".to_owned()),
        verdict: cast.answer.as_str().to_owned(),
        extent: cast.extent,
        channel: cast.channel,
        note: cast.note,
        at: cast.at,
        signed: cast.assertion.is_some(),
        method: cast.known_by.as_ref().map(|known| known.method.clone()),
        token: cast.known_by.as_ref().and_then(|known| known.token),
        signed_in_at: cast.known_by.as_ref().and_then(|known| known.since),
    }
}

pub(crate) fn grant(grant: Grant, now: Timestamp) -> GrantView {
    let (session, automation) = match grant.scope {
        GrantScope::Org => (None, None),
        GrantScope::Session(session) => (Some(session), None),
        GrantScope::Automation(automation) => (None, Some(automation)),
    };
    GrantView {
        id: grant.id,
        action: grant.key(),
        session,
        automation,
        condition: grant.condition.as_ref().map(|condition| condition.source().clone()),
        where_words: grant.condition.as_ref().map(policy::Condition::words),
        step: grant.step,
        max_calls: grant.max_calls,
        used_calls: grant.used_calls,
        state: grant.state(now).to_owned(),
        expires_at: grant.expires_at,
        created_by: grant.created_by,
        created_at: grant.created_at,
        reason: grant.reason,
        from_invocation: grant.from_invocation,
    }
}

pub(crate) fn grant_request(request: GrantRequest, agent: String, now: Timestamp) -> GrantRequestView {
    GrantRequestView {
        id: request.id,
        session: request.session,
        agent,
        action: request.key(),
        max_calls: request.max_calls,
        lifetime_s: request.lifetime.as_secs(),
        status: request.state(now).to_owned(),
        reason: request.reason,
        requested_at: request.requested_at,
        expires_at: request.expires_at,
        note: request.note,
        grant: request.grant,
        turn: request.turn,
    }
}

/// An amount for people; exact up to nine million USD.
#[expect(clippy::cast_precision_loss, reason = "larger amounts are refused when they are set")]
pub(crate) fn usd(nano: i64) -> f64 {
    nano as f64 / 1e9
}

pub(crate) fn org(org: tenancy::OrgInfo) -> OrgView {
    OrgView {
        slug: org.slug,
        name: org.name,
        approval_quorum: org.approvals.quorum,
        approval_four_eyes: org.approvals.four_eyes,
        approval_passkey: org.approvals.passkey,
        receipts_kept_days: org.retention.kept_days,
        receipts_kept_days_before: org.retention.longer.map(|(days, _)| days),
        receipts_shorter_at: org.retention.longer.map(|(_, until)| until),
        legal_hold: org.retention.legal_hold,
        time_zone: org.time_zone,
        model_budget: api::ModelBudget {
            usd_per_day: org.model_budget.nano_usd.map(usd),
            tokens_per_day: org.model_budget.tokens.and_then(|tokens| u64::try_from(tokens).ok()),
        },
        loosening: org.loosening.as_str().to_owned(),
        loosening_is_default: org.loosening.is_default,
        two_people_until: org.loosening.until,
    }
}

/// A change that waits, or waited, for a second owner.
pub(crate) async fn proposed(
    app: &App,
    org: OrgId,
    found: changes::Proposed,
) -> Result<ProposedChangeView, tenancy::Error> {
    let views = all_proposed(app, org, vec![found]).await?;
    views.into_iter().next().ok_or(tenancy::Error::NotFound("proposed change"))
}

/// The same for several, with the names of everybody in them read once.
pub(crate) async fn all_proposed(
    app: &App,
    org: OrgId,
    found: Vec<changes::Proposed>,
) -> Result<Vec<ProposedChangeView>, tenancy::Error> {
    let people = |one: &changes::Proposed| std::iter::once(one.proposed_by).chain(one.answered_by);
    let users: Vec<UserId> = found.iter().flat_map(people).collect();
    let names = app.tenancy.names(org, &users).await?;
    Ok(found.into_iter().map(|one| named(one, &names)).collect())
}

fn named(found: changes::Proposed, names: &HashMap<UserId, String>) -> ProposedChangeView {
    let changes::Proposal { change, subject, name, before, after, loosens, digest } = found.proposal;
    ProposedChangeView {
        id: found.id,
        status: found.status.as_str().to_owned(),
        changes: vec![ProposedPart { change, subject, name, before, after, loosens }],
        digest,
        proposed_by: found.proposed_by,
        proposed_by_name: names.get(&found.proposed_by).cloned(),
        reason: found.reason,
        proposed_at: found.proposed_at,
        expires_at: found.expires_at,
        answered_by: found.answered_by,
        answered_by_name: found.answered_by.and_then(|user| names.get(&user).cloned()),
        answered_at: found.answered_at,
        note: found.note,
    }
}
