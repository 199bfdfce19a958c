//! Loosening: which changes let something happen that could not happen before. This is the whole list.
//!
//! Not here, because each leaves what was approved void or is bounded by what its author may do: another value, place or
//! version (an approval is for one of them), sessions and tokens (they have at most the authority of their owner), grants
//! (an approver's answer in advance, for some calls and some time), and a new server (its tools are reviewed).

use model::{Conduct, MemberKind, Mode, OpenTo, Risk, RiskBand, Role, capability};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Kind;

fn read<T: DeserializeOwned>(state: Option<&Value>, field: &str) -> Option<T> {
    serde_json::from_value(state?.get(field)?.clone()).ok()
}

/// What a change loosens, in words; `None` if it loosens nothing.
pub(crate) fn of(kind: Kind, before: Option<&Value>, after: Option<&Value>) -> Option<&'static str> {
    match kind {
        Kind::OrgChanged => of_settings(before, after),
        Kind::MemberInvited => Some("invites a member"),
        // A person was invited before.
        Kind::MemberAdded => {
            (read(after, "kind") == Some(MemberKind::Service)).then_some("adds a service account")
        }
        Kind::MemberChanged => {
            let raised = read::<Role>(after, "role") > read::<Role>(before, "role");
            raised.then_some("gives a member a higher role")
        }
        Kind::SpaceCreated | Kind::SpaceChanged => of_space(before, after),
        Kind::SpaceMemberSet | Kind::SpaceMemberRemoved => of_space_member(before, after),
        // A rule that is new replaces what `overrides` says: the rule that applied before, if any did.
        Kind::RuleSet => {
            let was = read::<Mode>(before, "mode").or_else(|| read(after, "overrides"));
            match (was, read::<Mode>(after, "mode")) {
                (Some(Mode::Allow), Some(Mode::Allow)) => None,
                (_, Some(Mode::Allow)) => Some("allows without asking"),
                (Some(Mode::Deny), Some(Mode::RequireApproval)) => Some("asks where it was denied"),
                _ => None,
            }
        }
        Kind::RuleRemoved => {
            (read(before, "mode") != Some(Mode::Allow)).then_some("removes a rule that asks or denies")
        }
        Kind::Stopped | Kind::Resumed => {
            let was = read(before, "conduct").unwrap_or(Conduct::Normal);
            let is = read(after, "conduct").unwrap_or(Conduct::Normal);
            (is < was).then_some("lets go on what was stopped")
        }
        Kind::SecretAllowed => before.map(|_| "lets a secret be used in another place"),
        Kind::ToolReviewed => {
            let was = read::<Risk>(before, "risk");
            let lowered = was.is_some() && read::<Risk>(after, "risk") < was;
            lowered.then_some("lowers the risk of a tool")
        }
        Kind::SlackLinked => Some("lets a Slack user answer as a member"),
        Kind::OrgFounded
        | Kind::Restored
        | Kind::Proposed
        | Kind::KeysRotated
        | Kind::InvitationRenewed
        | Kind::InvitationWithdrawn
        | Kind::MemberRemoved
        | Kind::TokenCreated
        | Kind::TokenRevoked
        | Kind::SignedIn
        | Kind::SignInConfirmed
        | Kind::SignedOut
        | Kind::SessionOpened
        | Kind::SessionEnded
        | Kind::SecretSet
        | Kind::SecretDeleted
        | Kind::SecretForbidden
        | Kind::ConnectionSet
        | Kind::ConnectionDeleted
        | Kind::PasskeyAdded
        | Kind::PasskeyConfirmed
        | Kind::PasskeyRemoved
        | Kind::GrantGiven
        | Kind::GrantRevoked
        | Kind::ConnectorAdded
        | Kind::ConnectorChanged
        | Kind::ConnectorRemoved
        | Kind::SlackUnlinked
        | Kind::AutomationCreated
        | Kind::AutomationChanged
        | Kind::TriggerTokenReplaced
        | Kind::TriggerTokenRevoked => None,
    }
}

fn of_space(before: Option<&Value>, after: Option<&Value>) -> Option<&'static str> {
    if before.is_none() {
        let is_open = read(after, "risk_band") == Some(RiskBand::Green);
        return is_open.then_some("adds a space in which the rules alone decide");
    }
    let opened = read::<RiskBand>(after, "risk_band") < read::<RiskBand>(before, "risk_band");
    let bared =
        read(before, "outbound_redaction") == Some(true) && read(after, "outbound_redaction") == Some(false);
    let unlocked =
        read(before, "open_to") == Some(OpenTo::Members) && read(after, "open_to") == Some(OpenTo::Everyone);
    (opened.then_some("makes a space less careful"))
        .or_else(|| unlocked.then_some("opens a space to every member"))
        .or_else(|| bared.then_some("stops removing credentials before they are sent"))
}

/// In a space that is open to everyone, being listed is a limit; otherwise, it is what lets somebody in.
fn of_space_member(before: Option<&Value>, after: Option<&Value>) -> Option<&'static str> {
    let unlisted = match read(before.or(after), "open_to") {
        Some(OpenTo::Everyone) => vec![capability::EVERYTHING.to_owned()],
        _ => vec![],
    };
    let held = |state: Option<&Value>| -> Vec<String> {
        state.map_or_else(|| unlisted.clone(), |state| read(Some(state), "capabilities").unwrap_or_default())
    };
    let was = held(before);
    let more = held(after).iter().any(|held| !capability::is_covered(&was, held));
    more.then_some("lets a member use more in a space")
}

fn of_settings(before: Option<&Value>, after: Option<&Value>) -> Option<&'static str> {
    let less = |field: &str| read::<u32>(after, field) < read::<u32>(before, field);
    let off = |field: &str| read(before, field) == Some(true) && read(after, field) == Some(false);
    let to_one = read::<String>(after, "loosening").as_deref() == Some("one")
        && read::<String>(before, "loosening").as_deref() != Some("one");
    let all = [
        (less("approval_quorum"), "asks fewer people"),
        (off("approval_four_eyes"), "lets people approve what they asked for"),
        (off("approval_passkey"), "counts approvals that are not signed"),
        (less("receipts_kept_days"), "erases receipts earlier"),
        (off("legal_hold"), "ends a legal hold"),
        (to_one, "lets one person loosen"),
    ];
    all.into_iter().find_map(|(holds, words)| holds.then_some(words))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn loosening_is_found_and_tightening_never_waits() {
        let check = |kind, before: Value, after: Value, expected: bool| {
            let state = |value: &Value| Some(value.clone()).filter(|value| !value.is_null());
            let found = of(kind, state(&before).as_ref(), state(&after).as_ref());
            assert_eq!(found.is_some(), expected, "{} {before} {after}: {found:?}", kind.as_str());
        };
        let mode = |mode: &str| json!({ "mode": mode });
        let band = |band: &str| json!({ "risk_band": band, "outbound_redaction": true });
        let role = |role: &str| json!({ "role": role });
        let conduct = |conduct: &str| json!({ "conduct": conduct });
        for (kind, looser, tighter) in [
            (Kind::RuleSet, mode("allow"), mode("require_approval")),
            (Kind::RuleSet, mode("require_approval"), mode("deny")),
            (Kind::SpaceChanged, band("green"), band("red")),
            (
                Kind::SpaceChanged,
                json!({ "outbound_redaction": false }),
                json!({ "outbound_redaction": true }),
            ),
            (Kind::MemberChanged, role("owner"), role("admin")),
            (Kind::Resumed, conduct("normal"), conduct("halted")),
            (Kind::Stopped, conduct("dry_run"), conduct("halted")),
            (Kind::OrgChanged, json!({ "approval_quorum": 1 }), json!({ "approval_quorum": 2 })),
            (Kind::OrgChanged, json!({ "approval_four_eyes": false }), json!({ "approval_four_eyes": true })),
            (Kind::OrgChanged, json!({ "approval_passkey": false }), json!({ "approval_passkey": true })),
            (Kind::OrgChanged, json!({ "receipts_kept_days": 30 }), json!({ "receipts_kept_days": 365 })),
            (Kind::OrgChanged, json!({ "legal_hold": false }), json!({ "legal_hold": true })),
            (Kind::OrgChanged, json!({ "loosening": "one" }), json!({ "loosening": "two_people" })),
            (Kind::ToolReviewed, json!({ "risk": "R1" }), json!({ "risk": "R3" })),
        ] {
            check(kind, tighter.clone(), looser.clone(), true);
            check(kind, looser, tighter, false);
        }
        check(Kind::RuleSet, Value::Null, mode("allow"), true);
        check(Kind::RuleSet, Value::Null, mode("require_approval"), false);
        check(Kind::RuleSet, Value::Null, json!({ "mode": "require_approval", "overrides": "deny" }), true);
        check(Kind::RuleSet, Value::Null, json!({ "mode": "allow", "overrides": "allow" }), false);
        check(Kind::RuleRemoved, mode("deny"), Value::Null, true);
        check(Kind::RuleRemoved, mode("allow"), Value::Null, false);
        let closed = |open_to: &str| json!({ "risk_band": "amber", "open_to": open_to });
        check(Kind::SpaceChanged, closed("members"), closed("everyone"), true);
        check(Kind::SpaceChanged, closed("everyone"), closed("members"), false);
        let listed = |open_to: &str, held: &str| json!({ "open_to": open_to, "capabilities": [held] });
        for (open_to, is_let_in) in [("members", true), ("everyone", false)] {
            let row = listed(open_to, "linear:read");
            check(Kind::SpaceMemberSet, Value::Null, row.clone(), is_let_in);
            check(Kind::SpaceMemberRemoved, row.clone(), Value::Null, !is_let_in);
            check(Kind::SpaceMemberSet, row.clone(), listed(open_to, "linear:*"), true);
            check(Kind::SpaceMemberSet, listed(open_to, "linear:*"), row, false);
        }
        check(Kind::MemberInvited, Value::Null, role("member"), true);
        check(Kind::MemberAdded, Value::Null, json!({ "role": "member", "kind": "person" }), false);
        check(Kind::MemberAdded, Value::Null, json!({ "role": "member", "kind": "service" }), true);
        check(Kind::SecretAllowed, Value::Null, json!({}), false);
        check(Kind::SecretAllowed, json!([]), json!({}), true);
        check(Kind::GrantGiven, Value::Null, json!({}), false);
    }
}
