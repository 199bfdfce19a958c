//! Every problem code with its title and what to do next. docs/problems.md explains each of them at more length, and
//! the gateway shows that page under `/docs/problems`.

/// A problem code, for people and programs.
pub(super) struct Code {
    pub(super) code: &'static str,
    pub(super) title: &'static str,
    /// What to do next, fit for an agent. Without a capital and a full stop: clients put it into their own sentences.
    pub(super) hint: &'static str,
}

const fn code(code: &'static str, title: &'static str, hint: &'static str) -> Code {
    Code { code, title, hint }
}

pub(super) fn find(code: &str) -> Option<&'static Code> {
    ALL.iter().find(|known| known.code == code)
}

pub(super) const ALL: &[Code] = &[
    code(
        "action_failed",
        "Action failed",
        "read `class`: it says whether to correct the request or to retry later",
    ),
    code(
        "action_reverted",
        "Action reverted",
        "the action was executed, failed verification and was undone; see the receipt",
    ),
    code("already_answered", "Already answered", "nothing is left to do; see the invocation for the result"),
    code("already_exists", "Already exists", "choose another name, or change the existing one"),
    code("archived", "Automation archived", "set the status of the automation to `active` first"),
    code(
        "artifact_away",
        "Artifact unavailable",
        "retry later; if it stays unavailable, ask an operator to check COUNTERSIGN_ARTIFACTS",
    ),
    code(
        "artifact_changed",
        "Artifact does not match its digest",
        "do not use any copy of it; tell an operator that the stored artifact was modified",
    ),
    code(
        "assertion_refused",
        "Passkey signature refused",
        "read the inbox item again and sign it again; the detail says what is wrong",
    ),
    code(
        "beyond_reach",
        "More than you may use in this space",
        "name sources that you may use in this space, or ask an admin to add them for you",
    ),
    code("busy", "Busy", "wait for the time in `Retry-After`, then send the same request again"),
    code(
        "cannot_edit",
        "Parameters cannot be edited",
        "answer the request as it is, or deny it with a reason so that the agent proposes another one",
    ),
    code(
        "case_failed",
        "Case failed",
        "change the policy or the case, so that the case comes out as expected",
    ),
    code(
        "click_replayed",
        "Slack click already processed",
        "nothing is left to do; click again in Slack if the message still asks",
    ),
    code(
        "connector_unreachable",
        "Connector unreachable",
        "check the address and the credential of the connector, then refresh its tools",
    ),
    code(
        "cooling_down",
        "Denied too often",
        "do something else, or ask again after the time in `Retry-After`; each further denial doubles it",
    ),
    code(
        "counts_as_one",
        "You count as one person",
        "ask someone whom neither of you let in within the last day",
    ),
    code(
        "denied",
        "Denied by policy",
        "do not repeat the request; the invocation holds the decision, and an admin can change the rules",
    ),
    code(
        "deployment_held",
        "Restored or copied database",
        "ask the operator to run `countersign restored`; nothing happens until then",
    ),
    code(
        "event_id_reused",
        "Event id already used",
        "give each event its own `id`; the same `source` and `id` mean the same event",
    ),
    code("expired", "Expired", "send the request again with a new idempotency key if it is still wanted"),
    code(
        "four_eyes",
        "Another person must answer",
        "ask another admin or owner; the organization requires four eyes here",
    ),
    code(
        "fresh_sign_in_needed",
        "Sign-in too old",
        "sign in again, or confirm it with a passkey in the web, and send the same request again",
    ),
    code(
        "hidden_values",
        "Hidden values not revealed",
        "reveal them in the web or with `countersign inbox reveal`, then approve",
    ),
    code(
        "idempotency_key_reused",
        "Idempotency key already used",
        "use a new key for a new request; the same key means the same request",
    ),
    code(
        "idempotency_key_under_way",
        "Request in progress",
        "read the invocation named here, or send the same request again later",
    ),
    code(
        "identity_needed",
        "Identity provider needed",
        "open the link in a browser and sign in with the identity provider",
    ),
    code("in_use", "In use", "change or delete what uses it first"),
    code(
        "internal",
        "Internal error",
        "the request may have had its effect; read the invocation, or repeat with the same Idempotency-Key",
    ),
    code(
        "invalid_definition",
        "Invalid definition",
        "correct the fields in `errors`; `GET /v1/schemas/automation/1.0` is the schema of a definition",
    ),
    code(
        "invalid_inputs",
        "Invalid inputs",
        "correct the fields in `errors`; the definition of the automation declares its inputs",
    ),
    code(
        "invalid_params",
        "Invalid parameters",
        "correct the fields in `errors`; `GET …/actions/available` returns the input schema",
    ),
    code("invalid_request", "Invalid request", "correct the fields in `errors` and send the request again"),
    code(
        "malformed_request",
        "Malformed request",
        "send JSON without duplicate keys and without numbers beyond 2^53; see `errors`",
    ),
    code("needs_owner", "Owner required", "ask an owner, or request a grant for one action"),
    code(
        "no_model",
        "No model to ask",
        "add a provider with `countersign models add`, or name one that exists",
    ),
    code(
        "no_passkeys",
        "No passkey registered",
        "register a passkey under Settings > Passkeys, then turn on the requirement",
    ),
    code("no_such_route", "Route not found", "see /v1/openapi.json for all routes and methods"),
    code("nobody_answers_for_it", "Author of the version is gone", "have a member save the automation again"),
    code(
        "not_alone",
        "Several people needed",
        "approve or deny it; where several people or a passkey are needed, nobody endorses alone",
    ),
    code("not_found", "Not found", "check the id; it may belong to another organization or session"),
    code(
        "not_in_doubt",
        "Outcome already known",
        "nothing is left to reconcile; see the receipt of the invocation",
    ),
    code(
        "not_in_space",
        "Not a member of this space",
        "ask an admin to add you to the space, or use another one",
    ),
    code("not_inviter", "Not your invitation", "ask the person who invited for a new link, or invite again"),
    code(
        "not_logged_yet",
        "Not in the ledger yet",
        "retry in a second; if it stays so, ask an operator whether a worker or gateway is running",
    ),
    code(
        "not_our_page",
        "Request from another site",
        "open the web app at the gateway's own address (COUNTERSIGN_PUBLIC_URL); programs send `Authorization: Bearer <token>`",
    ),
    code(
        "not_own_token",
        "Not your own token",
        "people make their own tokens; make a service account for a program",
    ),
    code(
        "not_quarantined",
        "Not quarantined",
        "read the invocation again; only what is quarantined can be discarded or released",
    ),
    code(
        "nothing_to_endorse",
        "Nothing to endorse",
        "approve or deny it; nothing that strangers may have written was read before",
    ),
    code("nothing_to_rerun", "Nothing to rerun", "start a new run instead"),
    code(
        "only_once",
        "Only a single approval is possible",
        "approve with `once`; the detail says why a grant or a rule would have no effect",
    ),
    code(
        "origin_not_allowed",
        "Browsers not allowed",
        "call this route from a program that sends no `Origin` header",
    ),
    code(
        "outcome_unknown",
        "Outcome unknown",
        "do not repeat it: it may have happened; a person was notified and will find out",
    ),
    code(
        "over_budget",
        "Budget for models used up",
        "wait for the next day, or ask an owner to raise the budget: `countersign org set --model-budget`",
    ),
    code("own_passkey", "Your own passkey", "ask another admin or owner to confirm it"),
    code("own_proposal", "Your own proposal", "ask another owner to answer it; you can withdraw it"),
    code(
        "passkey_confirm",
        "Existing passkey required",
        "sign the new passkey with an existing one and send `confirmed_by`; if all are lost, have an owner remove them",
    ),
    code(
        "passkey_needed",
        "Passkey required",
        "answer in the web app, which asks for your passkey; register one there under Settings > Passkeys",
    ),
    code(
        "passkey_not_confirmed",
        "Passkey not confirmed",
        "ask another admin or owner to confirm the passkey, then sign again",
    ),
    code(
        "passkeys_unavailable",
        "Passkeys unavailable",
        "have the operator set COUNTERSIGN_PUBLIC_URL to the https address, or open http://localhost",
    ),
    code("paused", "Automation paused", "resume the automation, or start the run as a person"),
    code("policy_in_motion", "Policy is changing", "nothing was executed; send the same request again"),
    code(
        "proposal_answered",
        "Already answered",
        "read the proposed change; propose it again if you still want it",
    ),
    code(
        "proposer_gone",
        "Session ended",
        "discard the item; the agent can propose it again in a new session",
    ),
    code(
        "quarantined",
        "Quarantined as unsafe",
        "remove the parameters that the detail names; an admin can see this request",
    ),
    code(
        "rate_limited",
        "Rate limit exceeded",
        "wait for the time in `Retry-After`, then send the same request again",
    ),
    code(
        "role_too_low",
        "Permission denied",
        "use a token with the role named in the detail; retrying with this token will not help",
    ),
    code("run_over", "Run already ended", "nothing is left to cancel"),
    code(
        "sealing_failed",
        "Encryption failed",
        "ask an operator to check that COUNTERSIGN_MASTER_KEY holds the key that encrypted the value",
    ),
    code(
        "second_person_needed",
        "Second owner needed",
        "make the change on its own, so that it can wait for a second owner; here, approve once",
    ),
    code(
        "secret_not_allowed",
        "Secret not allowed there",
        "ask the person who set the secret, or an owner, to run `countersign secrets allow`",
    ),
    code("service_account", "Service account", "a person has to do this; a service account has no vote"),
    code("session_over", "Session ended", "ask the person who opened the session for a new one"),
    code(
        "shown_digest_mismatch",
        "Item changed since it was shown",
        "read the inbox item again and answer with the digest of its `shown`",
    ),
    code(
        "signing_failed",
        "Signing failed",
        "ask an operator to check the signing key and COUNTERSIGN_MASTER_KEY",
    ),
    code("source_not_connected", "Source not connected", "ask an admin to connect the source"),
    code(
        "stopped",
        "Stopped by a person",
        "do not repeat the request; wait until a person resumes it, or ask the person who opened the session",
    ),
    code(
        "storage_unavailable",
        "Database unavailable",
        "retry later with the same Idempotency-Key; with a key, a retry is safe",
    ),
    code(
        "subject_changed",
        "Changed since it was asked",
        "read the inbox item again: it shows what would happen now; then answer with the digest of its `shown`",
    ),
    code("too_large", "Request too large", "send less than 1 MiB"),
    code("too_many_pending", "Too many pending requests", "wait until a person has answered some of them"),
    code(
        "too_many_queued",
        "Too many queued runs",
        "wait until some runs have ended, or allow runs in parallel",
    ),
    code("too_slow", "Request timeout", "send the body faster"),
    code(
        "tool_changed",
        "Tool changed",
        "read the connector again and review the tool with its current hashes",
    ),
    code(
        "unauthenticated",
        "Authentication required",
        "send `Authorization: Bearer <token>` with a valid token",
    ),
    code("unknown_action", "Unknown action", "list the actions with `GET …/actions/available`"),
    code(
        "unpriced",
        "Price of the model unknown",
        "set the price of the model (`PUT /v1/models/{provider}`), or save the provider as free if it costs nothing",
    ),
    code(
        "version_changed",
        "Version changed",
        "read it again, apply your change to the newest version, and send the number of that version",
    ),
];

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeSet,
        fs,
        path::{Path, PathBuf},
    };

    use super::*;

    const CRATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

    #[test]
    fn codes_are_sorted_and_every_text_is_there() {
        let codes: Vec<_> = ALL.iter().map(|known| known.code).collect();
        assert!(codes.is_sorted() && codes.windows(2).all(|pair| pair[0] != pair[1]), "{codes:?}");
        for known in ALL {
            assert!(!known.title.is_empty() && !known.hint.is_empty(), "{}", known.code);
            assert!(!known.hint.ends_with('.') && !known.title.ends_with('.'), "{}", known.code);
        }
    }

    /// Reads the sources, because a list would not be updated by a developer who adds an error code.
    #[test]
    fn every_code_in_the_sources_has_a_title_a_hint_and_a_page() {
        let documented: BTreeSet<String> = headings();
        let known: BTreeSet<String> = ALL.iter().map(|known| known.code.to_owned()).collect();
        let used = used();
        assert!(used.len() > 40, "the sources were not read: {used:?}");
        let missing: Vec<_> = used.difference(&known).collect();
        assert!(missing.is_empty(), "codes without a title and a hint in problem/codes.rs: {missing:?}");
        let unused: Vec<_> = known.difference(&used).collect();
        assert!(unused.is_empty(), "codes in problem/codes.rs that no error has: {unused:?}");
        let missing: Vec<_> = known.difference(&documented).collect();
        assert!(missing.is_empty(), "codes without a heading `## <code>` in docs/problems.md: {missing:?}");
        let unknown: Vec<_> = documented.difference(&known).collect();
        assert!(unknown.is_empty(), "headings in docs/problems.md that are no code: {unknown:?}");
    }

    fn headings() -> BTreeSet<String> {
        let lines = super::super::page::SOURCE.lines();
        let headings =
            lines.filter_map(|line| line.strip_prefix("## ")).map(|line| line.trim().trim_matches('`'));
        headings
            .filter(|text| text.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
            .map(str::to_owned)
            .collect()
    }

    /// Every code that an error enum with a disposition returns, and every one that the gateway names itself.
    fn used() -> BTreeSet<String> {
        let mut files = Vec::new();
        for member in fs::read_dir(CRATES).expect("crates/").flatten() {
            rust_files(&member.path().join("src"), &mut files);
        }
        let mut found = BTreeSet::new();
        for path in files {
            let text = fs::read_to_string(&path).expect("a source file");
            if text.contains("fn disposition(&self) -> Disposition") {
                let body = text.split("fn code(&self) -> &'static str").nth(1).unwrap_or_default();
                let body = body.split("\n    }\n").next().unwrap_or_default();
                found.extend(body.split("=> ").skip(1).filter_map(quoted));
            }
            if path.starts_with(Path::new(CRATES).join("gateway/src")) && !path.ends_with("problem/codes.rs")
            {
                let text = text.split("#[cfg(test)]").next().unwrap_or_default();
                found.extend(text.split("StatusCode::").skip(1).filter_map(named));
            }
        }
        found
    }

    /// The text in quotes at the beginning, if it is a code.
    fn quoted(text: &str) -> Option<String> {
        let code = text.trim_start().strip_prefix('"')?.split('"').next()?;
        let is_code = !code.is_empty() && code.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        is_code.then(|| code.to_owned())
    }

    /// `NOT_FOUND, "no_such_route"`: the code after a status.
    fn named(text: &str) -> Option<String> {
        let (status, rest) = text.split_once(',')?;
        let is_status = status.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        if is_status { quoted(rest) } else { None }
    }

    fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                rust_files(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
}
