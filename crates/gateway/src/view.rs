//! From the domain to the wire.

use api::{
    ActionView, CatalogView, ConnectionView, FailureView, InvocationView, MemberView, PreviewChange,
    PreviewView, ReceiptView, RuleView, SecretView, SessionView, SourceView, SpaceView, TokenView,
};
use pipeline::{Available, Invocation};
use policy::{RuleScope, StoredRule};

pub(crate) fn invocation(found: Invocation) -> InvocationView {
    InvocationView {
        id: found.id,
        session: found.session,
        agent: found.agent,
        action: found.address.to_string(),
        risk: found.risk,
        status: found.status,
        mode: found.decision.mode,
        decision: found.decision,
        params: found.params,
        dry_run: found.dry_run,
        preview: found.preview.map(|preview| PreviewView {
            summary: preview.summary,
            changes: preview
                .changes
                .into_iter()
                .map(|change| PreviewChange {
                    field: change.field,
                    before: change.before,
                    after: change.after,
                })
                .collect(),
        }),
        result: found.result,
        error: found.failure.map(|failure| FailureView {
            class: failure.class,
            message: failure.message,
            sent: failure.sent,
        }),
        attempts: found.attempts,
        replayed: found.replayed,
        idempotency_key: found.idempotency_key,
        receipt: found.receipt,
        shown_digest: found.shown_digest.to_string(),
        requested_at: found.requested_at,
        finished_at: found.finished_at,
        expires_at: found.expires_at,
    }
}

pub(crate) fn catalog(found: Available) -> CatalogView {
    let problem = "not connected: ask an admin to run `countersign connections add`";
    let sources = found.sources.into_iter().map(|source| SourceView {
        source: source.slug,
        connected: source.connected,
        problem: (!source.connected).then(|| problem.to_owned()),
    });
    let actions = found.actions.into_iter().map(|found| {
        let definition = &found.action.definition;
        let raised = found.decision.guardrails.last().map(|change| change.reason.clone());
        let refused =
            found.decision.gates.iter().find(|gate| !gate.reason.is_empty()).map(|gate| gate.reason.clone());
        ActionView {
            action: definition.address.to_string(),
            description: definition.description.clone(),
            risk: definition.risk,
            effect: definition.effect,
            mode: found.decision.mode,
            reason: refused.or(raised).unwrap_or(found.decision.reason),
            undo: definition.undo.clone(),
            input_schema: definition.input_schema.clone(),
        }
    });
    CatalogView { sources: sources.collect(), actions: actions.collect() }
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

pub(crate) fn space(found: tenancy::Space) -> SpaceView {
    SpaceView {
        id: found.id,
        slug: found.slug,
        name: found.name,
        risk_band: found.risk_band,
        outbound_redaction: found.outbound_redaction,
    }
}

pub(crate) fn member(found: tenancy::Member) -> MemberView {
    MemberView { user: found.user, email: found.email, name: found.name, role: found.role }
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
    }
}

pub(crate) fn secret(found: tenancy::SecretInfo) -> SecretView {
    SecretView {
        id: found.id,
        name: found.name,
        version: found.version,
        set_by: found.set_by,
        updated_at: found.updated_at,
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

pub(crate) fn rule(found: StoredRule) -> RuleView {
    let automation = match found.rule.scope {
        RuleScope::Org => None,
        RuleScope::Automation(id) => Some(id.uuid().to_string()),
    };
    RuleView {
        id: found.id,
        action: found.rule.key(),
        mode: found.rule.mode,
        reason: found.rule.reason,
        automation,
        set_by: found.set_by,
        updated_at: found.updated_at,
    }
}

pub(crate) fn receipt(found: ledger::Stored) -> ReceiptView {
    ReceiptView {
        id: found.entry.id,
        invocation: found.entry.invocation,
        session: found.entry.session,
        action: found.entry.action.to_string(),
        status: found.entry.status,
        finished_at: found.entry.finished_at,
        envelope: serde_json::to_value(found.envelope).unwrap_or_default(),
    }
}
