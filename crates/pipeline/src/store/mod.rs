//! Rows of `invocations`, `idempotency_keys`, `attempts`, `shown_documents`, `seen_documents`, `revealed_values`
//! and `quarantined`.

mod activity;
mod attempts;
mod budgets;
mod claims;
mod durations;
mod invocations;
mod overview;
mod past;
mod payloads;
mod quarantine;
mod reads;
mod shown;
mod states;
mod usage;

pub use activity::{Activity, ActivityFilter, Scan, oldest_scanned, search};
pub(crate) use attempts::insert_tries;
pub use attempts::tries;
pub(crate) use budgets::{lock_spending, org_cap, reserve, reserved, spending};
pub(crate) use claims::{KeyClaim, NewKey, claim_key, insert, purge_keys, snapshot_is_current};
pub use durations::Durations;
pub(crate) use invocations::{count_waiting, find_keyed, list, lock_places};
pub use invocations::{find, list_pending, list_unknown};
pub use overview::{AgentCount, AskedParam, Group, asked_params, count, count_by_agent, count_pending};
pub use past::{
    DecidedCall, Observed, ObservedFlow, actions_by_rule, addresses, count_decided, decided, observed,
    observed_flows,
};
pub(crate) use past::{PastCall, is_any_executing, lock_past, set_counted};
pub(crate) use payloads::{NewPayload, find_payloads, insert_payload, purge_payloads, touch_payloads};
pub(crate) use quarantine::{Held, delete_held, hold, lock_held, purge_held, set_released_as};
pub use quarantine::{HeldItem, find_held, list_held};
pub(crate) use reads::{NewEndorsement, add_read, endorsed_until, insert_endorsement, reads};
pub(crate) use shown::{
    NewDocument, NewReveal, ReadResult, add_revealed, add_seen, all_documents, documents, insert_document,
    purge_documents, read_before, reading, results_before, revealed, shown_subject,
};
pub(crate) use states::{
    LockedInvocation, NewQuestion, approve, ask_again, begin, count_open, end, expired_leases, lock, notify,
    open, overdue, put_back, settle, take_over,
};
pub use usage::{Ended, by_action, by_source};
