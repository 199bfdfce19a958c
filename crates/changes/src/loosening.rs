//! Loosening: which changes let something happen that could not happen before. This is the whole list.
//!
//! Not here, because each leaves what was approved void or is bounded by what its author may do: another value, place or
//! version (an approval is for one of them), sessions and tokens (they have at most the authority of their owner), grants
//! (an approver's answer in advance, for some calls and some time), consents (what somebody else agreed to), an endorsement (an
//! approver's answer about what one session has read), and a new server (its tools are reviewed).

use model::{Conduct, MemberKind, Mode, OpenTo, Risk, RiskBand, Role, capability};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Kind;

fn read<T: DeserializeOwned>(state: Option<&Value>, field: &str) -> Option<T> {
    serde_json::from_value(state?.get(field)?.clone()).ok()
}

fn of_tool(before: Option<&Value>, after: Option<&Value>) -> Option<&'static str> {
    let was = read::<Risk>(before, "risk")?;
    if read::<Risk>(after, "risk") < Some(was) {
        return Some("lowers the risk of a tool");
    }
    // Gates and policies look at it.
    let effect = |state: Option<&Value>| state.and_then(|state| state.get("effect")).cloned();
    let is_once = effect(after).is_some_and(|effect| effect == "once");
    (effect(before) != effect(after) && !is_once)
        .then_some("changes what is known about the effect of a tool")
}

/// Prompts hold whatever steps have read, so it matters where they go.
fn of_model_provider(before: Option<&Value>, after: Option<&Value>) -> Option<&'static str> {
    let is_on = |state: Option<&Value>, field: &str| read::<bool>(state, field) == Some(true);
    let sees = |state| is_on(state, "may_see_private");
    let other = |field: &str| read::<Value>(before, field) != read::<Value>(after, field);
    let moved = ["base_url", "auth", "auth_header", "secret_name"].into_iter().any(other);
    let quirks = |state: Option<&Value>| state.and_then(|state| state.get("quirks")).cloned();
    let believed = |state| is_on(quirks(state).as_ref(), "reports_cost");
    let all = [
        (sees(after) && (!sees(before) || moved), "lets a model provider see data that is not public"),
        (is_on(after, "is_free") && !is_on(before, "is_free"), "says that a model provider costs nothing"),
        (
            believed(after) && (!believed(before) || moved),
            "believes what a model provider says that it costs",
        ),
        (costs_less(before, after), "lowers the price by which a budget is held"),
    ];
    all.into_iter().find_map(|(holds, words)| holds.then_some(words))
}

/// Whether some model gets a price that is lower than before, or than the bundled one.
fn costs_less(before: Option<&Value>, after: Option<&Value>) -> bool {
    let below = |state| read::<Vec<String>>(state, "below_table").unwrap_or_default();
    let was = below(before);
    if below(after).iter().any(|name| !was.contains(name)) {
        return true;
    }
    let models = |state| read::<Vec<Value>>(state, "models").unwrap_or_default();
    let earlier = models(before);
    models(after).iter().any(|model| {
        let same = earlier.iter().find(|earlier| earlier.get("name") == model.get("name"));
        // Without an own price, the bundled one holds, if there is one.
        same.is_some_and(|same| is_lower(same.get("price"), model.get("price")))
    })
}

/// Numbers are compared one by one; tiers as wholes, because only the catalog knows what they mean together.
fn is_lower(before: Option<&Value>, after: Option<&Value>) -> bool {
    let number = |price: Option<&Value>, field: &str| price?.get(field)?.as_u64();
    let (Some(_), Some(_)) = (before, after) else { return before.is_some() };
    let lower = |field: &str, instead: &str| {
        let of = |price| number(price, field).or_else(|| number(price, instead)).unwrap_or_default();
        of(after) < of(before)
    };
    let tiers = |price: Option<&Value>| price.and_then(|price| price.get("tiers")).cloned();
    lower("input", "input")
        || lower("output", "output")
        || lower("cache_read", "input")
        || lower("cache_write", "input")
        || tiers(before) != tiers(after)
}

/// A rule that is new replaces what `overrides` says: the rule that applied before, if any did.
fn of_rule(before: Option<&Value>, after: Option<&Value>) -> Option<&'static str> {
    let was = read::<Mode>(before, "mode").or_else(|| read(after, "overrides"));
    match (was, read::<Mode>(after, "mode")) {
        (Some(Mode::Allow), Some(Mode::Allow)) => None,
        (_, Some(Mode::Allow)) => Some("allows without asking"),
        (Some(Mode::Deny), Some(Mode::RequireApproval)) => Some("asks where it was denied"),
        _ => None,
    }
}

/// A new policy can only tighten. Whether a changed one lets more through cannot be told from its text.
fn of_policy(before: Option<&Value>, after: Option<&Value>) -> Option<&'static str> {
    let is_enforced = |state| read::<String>(state, "state").as_deref() == Some("enforced");
    let is_other = read::<String>(before, "text") != read::<String>(after, "text");
    match (is_enforced(before), after) {
        (false, _) => None,
        (true, None) => Some("removes a policy"),
        (true, Some(_)) if !is_enforced(after) => Some("no longer applies a policy"),
        (true, Some(_)) => is_other.then_some("changes a policy that is applied"),
    }
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
        Kind::RuleSet => of_rule(before, after),
        Kind::RuleRemoved => {
            (read(before, "mode") != Some(Mode::Allow)).then_some("removes a rule that asks or denies")
        }
        Kind::PolicySet | Kind::PolicyRemoved => of_policy(before, after),
        Kind::GatesChanged => of_gates(before, after),
        // Policies may read it.
        Kind::FactSet => before.map(|_| "changes a fact that policies may read"),
        Kind::Stopped | Kind::Resumed => {
            let was = read(before, "conduct").unwrap_or(Conduct::Normal);
            let is = read(after, "conduct").unwrap_or(Conduct::Normal);
            (is < was).then_some("lets go on what was stopped")
        }
        Kind::ModelProviderSet => of_model_provider(before, after),
        Kind::SecretAllowed => before.map(|_| "lets a secret be used in another place"),
        Kind::ToolReviewed => of_tool(before, after),
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
        | Kind::ConsentGiven
        | Kind::FlowEndorsed
        | Kind::ConsentRevoked
        // No policy reads it then.
        | Kind::FactRemoved
        | Kind::ConnectorAdded
        | Kind::ConnectorChanged
        | Kind::ConnectorRemoved
        | Kind::ModelProviderRemoved
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

/// Entries are compared as wholes: a changed one is one removed and one added.
fn of_gates(before: Option<&Value>, after: Option<&Value>) -> Option<&'static str> {
    let list = |state, field: &str| read::<Vec<Value>>(state, field).unwrap_or_default();
    let is_in = |entries: &[Value], others: &[Value]| entries.iter().all(|entry| others.contains(entry));
    let lost = |field| !is_in(&list(before, field), &list(after, field));
    // `None` for no list, which allows everybody.
    let allowed = |state: Option<&Value>| read::<Vec<Value>>(state?.get("recipients"), "allow");
    let more = match (allowed(before), allowed(after)) {
        (None, _) => false,
        (Some(was), Some(is)) => !is_in(&is, &was),
        (Some(_), None) => true,
    };
    let all = [
        (more, "allows more recipients"),
        (lost("detectors"), "removes or changes a detector"),
        (lost("purposes"), "removes or changes a purpose that needs consent"),
        (lost("homes"), "removes or changes the home of a source"),
        (
            !is_in(&list(after, "crossings"), &list(before, "crossings")),
            "lets effects cross into another space",
        ),
        (frees_flows(before, after), "lets data flow where it was held"),
    ];
    all.into_iter().find_map(|(holds, words)| holds.then_some(words))
}

/// Whether flows of data are no longer held, or fewer are.
fn frees_flows(before: Option<&Value>, after: Option<&Value>) -> bool {
    let flow = |state: Option<&Value>| state.and_then(|state| state.get("flow")).cloned();
    let (before, after) = (flow(before), flow(after));
    let is_held = |state: &Option<Value>| read::<String>(state.as_ref(), "mode").as_deref() == Some("hold");
    let list =
        |state: &Option<Value>, field: &str| read::<Vec<Value>>(state.as_ref(), field).unwrap_or_default();
    let more = |field: &str| {
        let was = list(&before, field);
        list(&after, field).iter().any(|entry| !was.contains(entry))
    };
    (is_held(&before) && !is_held(&after))
        || ["trusted", "public", "hosts", "consents"].into_iter().any(more)
        || narrows(&list(&before, "audiences"), &list(&after, "audiences"))
}

/// Whether some place is said to be seen by fewer people than before, so that more may be sent there.
fn narrows(before: &[Value], after: &[Value]) -> bool {
    let rank = |places: &[Value], source: &Value, place: &Value| {
        let of = |wanted: &Value| {
            let mut places = places.iter();
            let found = places.find(|one| one["source"] == *source && one["destination"] == *wanted)?;
            Some(["internal", "partner"].iter().position(|word| found["audience"] == *word).unwrap_or(2))
        };
        of(place).or_else(|| of(&Value::from("*"))).unwrap_or(2)
    };
    before.iter().chain(after).any(|one| {
        let (source, place) = (&one["source"], &one["destination"]);
        rank(after, source, place) < rank(before, source, place)
    })
}

fn of_settings(before: Option<&Value>, after: Option<&Value>) -> Option<&'static str> {
    let less = |field: &str| read::<u32>(after, field) < read::<u32>(before, field);
    let off = |field: &str| read(before, field) == Some(true) && read(after, field) == Some(false);
    let to_one = read::<String>(after, "loosening").as_deref() == Some("one")
        && read::<String>(before, "loosening").as_deref() != Some("one");
    let zone = |state| read::<String>(state, "time_zone");
    let moved = zone(before).is_some() && zone(before) != zone(after);
    // No limit is more than any.
    let most = |state, field: &str| read::<u64>(state, field).unwrap_or(u64::MAX);
    let more = |field: &str| {
        let is_told = before.is_some_and(|before| before.get(field).is_some());
        is_told && most(after, field) > most(before, field)
    };
    let all = [
        (less("approval_quorum"), "asks fewer people"),
        (off("approval_four_eyes"), "lets people approve what they asked for"),
        (off("approval_passkey"), "counts approvals that are not signed"),
        (less("receipts_kept_days"), "erases receipts earlier"),
        (off("legal_hold"), "ends a legal hold"),
        (to_one, "lets one person loosen"),
        (moved, "moves the hours that policies see"),
        (more("model_nano_usd_per_day") || more("model_tokens_per_day"), "lets models cost more"),
    ];
    all.into_iter().find_map(|(holds, words)| holds.then_some(words))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "a table is easier to read")]
    fn check(kind: Kind, before: Value, after: Value, expected: bool) {
        let state = |value: &Value| Some(value.clone()).filter(|value| !value.is_null());
        let found = of(kind, state(&before).as_ref(), state(&after).as_ref());
        assert_eq!(found.is_some(), expected, "{} {before} {after}: {found:?}", kind.as_str());
    }

    #[test]
    fn a_policy_or_a_gate_that_holds_less_is_a_loosening() {
        let policy = |text: &str, state: &str| json!({ "text": text, "state": state });
        check(Kind::PolicySet, Value::Null, policy("a", "enforced"), false);
        check(Kind::PolicySet, policy("a", "observing"), policy("b", "enforced"), false);
        check(Kind::PolicySet, policy("a", "enforced"), policy("b", "enforced"), true);
        check(Kind::PolicySet, policy("a", "enforced"), policy("a", "observing"), true);
        check(Kind::PolicyRemoved, policy("a", "enforced"), Value::Null, true);
        check(Kind::PolicyRemoved, policy("a", "observing"), Value::Null, false);
        check(Kind::FactSet, Value::Null, json!({}), false);
        check(Kind::FactSet, json!({}), json!({}), true);
        let gates = |recipients: Value, field: &str, entries: Value| {
            let mut gates = json!({ "recipients": recipients, "detectors": [], "purposes": [], "homes": [], "crossings": [] });
            gates[field] = entries;
            gates
        };
        let list = |allow: Value| gates(json!({ "allow": allow }), "homes", json!([]));
        let everybody = gates(Value::Null, "homes", json!([]));
        check(Kind::GatesChanged, everybody.clone(), list(json!(["a"])), false);
        check(Kind::GatesChanged, list(json!(["a"])), everybody.clone(), true);
        check(Kind::GatesChanged, list(json!([])), everybody, true);
        check(Kind::GatesChanged, list(json!(["a", "b"])), list(json!(["b"])), false);
        check(Kind::GatesChanged, list(json!(["a", "b"])), list(json!(["b", "a"])), false);
        check(Kind::GatesChanged, list(json!(["a"])), list(json!(["b"])), true);
        for field in ["detectors", "purposes", "homes"] {
            let of = |entries: Value| gates(Value::Null, field, entries);
            check(Kind::GatesChanged, of(json!([])), of(json!([{ "x": 1 }])), false);
            check(Kind::GatesChanged, of(json!([{ "x": 1 }])), of(json!([])), true);
            check(Kind::GatesChanged, of(json!([{ "x": 1 }])), of(json!([{ "x": 2 }])), true);
            check(
                Kind::GatesChanged,
                of(json!([{ "x": 1 }, { "x": 2 }])),
                of(json!([{ "x": 2 }, { "x": 1 }])),
                false,
            );
        }
        let crossings = |entries: Value| gates(Value::Null, "crossings", entries);
        check(Kind::GatesChanged, crossings(json!([])), crossings(json!([{ "from": "a" }])), true);
        check(Kind::GatesChanged, crossings(json!([{ "from": "a" }])), crossings(json!([])), false);
    }

    #[test]
    fn a_model_provider_that_sees_more_or_counts_less_is_a_loosening() {
        let provider = |change: Value| {
            let mut provider = json!({
                "base_url": "a", "auth": "bearer", "secret_name": "key", "may_see_private": false,
                "is_free": false, "quirks": { "reports_cost": false }, "below_table": [],
                "models": [{ "name": "m", "price": { "input": 10, "output": 20 } }],
            });
            for (field, value) in change.as_object().unwrap() {
                provider[field] = value.clone();
            }
            provider
        };
        let plain = || provider(json!({}));
        let check = |before, after, expected| check(Kind::ModelProviderSet, before, after, expected);
        let price = |price: Value| provider(json!({ "models": [{ "name": "m", "price": price }] }));
        for change in [
            json!({ "may_see_private": true }),
            json!({ "is_free": true }),
            json!({ "quirks": { "reports_cost": true } }),
            json!({ "below_table": ["m"] }),
            json!({ "models": [{ "name": "m", "price": { "input": 9, "output": 20 } }] }),
            json!({ "models": [{ "name": "m", "price": { "input": 10, "output": 19 } }] }),
            json!({ "models": [{ "name": "m", "price": { "input": 10, "output": 20, "cache_read": 1 } }] }),
            json!({ "models": [{ "name": "m" }] }),
        ] {
            check(plain(), provider(change.clone()), true);
            check(provider(change), plain(), false);
        }
        check(Value::Null, plain(), false);
        check(Value::Null, provider(json!({ "is_free": true })), true);
        check(plain(), price(json!({ "input": 11, "output": 20 })), false);
        check(plain(), provider(json!({ "base_url": "b" })), false);
        let private = |field: &str, value: &str| provider(json!({ "may_see_private": true, field: value }));
        for (field, value) in [("base_url", "b"), ("auth", "header"), ("secret_name", "other")] {
            check(private("base_url", "a"), private(field, value), true);
        }
        check(private("base_url", "a"), private("base_url", "a"), false);
    }

    #[test]
    fn loosening_is_found_and_tightening_never_waits() {
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
        check(Kind::ConsentGiven, Value::Null, json!({}), false);
        check(Kind::ConsentRevoked, json!({}), Value::Null, false);
        let zone = |zone: &str| json!({ "time_zone": zone });
        check(Kind::OrgChanged, zone("UTC"), zone("Europe/Berlin"), true);
        check(Kind::GrantGiven, Value::Null, json!({}), false);
    }
}
