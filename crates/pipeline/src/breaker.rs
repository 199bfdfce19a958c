//! The circuit breaker: a source that keeps failing is left alone for a while, per org.

use std::{
    collections::{HashMap, VecDeque},
    sync::Mutex,
    time::Duration,
};

use jiff::Timestamp;
use model::{OrgId, SourceSlug};

/// How many calls are remembered.
const WINDOW: usize = 20;
/// With fewer than this, nothing is concluded.
const LEAST: usize = 10;
/// How long an open circuit rests before one probe is let through.
const REST: Duration = Duration::from_secs(30);

/// All circuits of this process.
#[derive(Default)]
pub(crate) struct Breakers(Mutex<HashMap<(OrgId, SourceSlug), Circuit>>);

#[derive(Default)]
struct Circuit {
    recent: VecDeque<bool>,
    open_until: Option<Timestamp>,
    probing: bool,
}

impl Breakers {
    /// Whether a call may be made. After the rest exactly one probe may, until it has reported.
    pub(crate) fn admits(&self, org: OrgId, source: &SourceSlug, now: Timestamp) -> bool {
        let Ok(mut circuits) = self.0.lock() else { return true };
        let Some(circuit) = circuits.get_mut(&(org, source.clone())) else { return true };
        match circuit.open_until {
            None => true,
            Some(until) if now < until || circuit.probing => false,
            Some(_) => {
                circuit.probing = true;
                true
            }
        }
    }

    /// Reports a call: `healthy` means the target answered, whatever it said.
    pub(crate) fn report(&self, org: OrgId, source: &SourceSlug, healthy: bool, now: Timestamp) {
        let Ok(mut circuits) = self.0.lock() else { return };
        let circuit = circuits.entry((org, source.clone())).or_default();
        if circuit.probing {
            *circuit = Circuit::default();
            if !healthy {
                circuit.open_until = Some(now + REST);
            }
            return;
        }
        circuit.recent.push_back(healthy);
        if circuit.recent.len() > WINDOW {
            circuit.recent.pop_front();
        }
        let failed = circuit.recent.iter().filter(|healthy| !**healthy).count();
        if circuit.recent.len() >= LEAST && failed * 2 > circuit.recent.len() {
            circuit.open_until = Some(now + REST);
            circuit.recent.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circuit_opens_on_failures_probes_once_and_closes_on_a_success() {
        let (breakers, org) = (Breakers::default(), OrgId::from_uuid(uuid::Uuid::nil()));
        let source: SourceSlug = "linear".parse().unwrap();
        let other = OrgId::from_uuid(uuid::Uuid::max());
        let mut now: Timestamp = "2026-11-15T09:00:00Z".parse().unwrap();
        for _ in 0..9 {
            breakers.report(org, &source, false, now);
            assert!(breakers.admits(org, &source, now));
        }
        breakers.report(org, &source, false, now);
        assert!(!breakers.admits(org, &source, now), "ten failures open it");
        assert!(breakers.admits(other, &source, now), "another org is not affected");
        now += REST;
        assert!(breakers.admits(org, &source, now), "one probe");
        assert!(!breakers.admits(org, &source, now), "and only one");
        breakers.report(org, &source, false, now);
        assert!(!breakers.admits(org, &source, now), "a failed probe opens it again");
        now += REST;
        assert!(breakers.admits(org, &source, now));
        breakers.report(org, &source, true, now);
        assert!(breakers.admits(org, &source, now) && breakers.admits(org, &source, now), "closed");
    }

    #[test]
    fn few_failures_among_successes_open_nothing() {
        let (breakers, org) = (Breakers::default(), OrgId::from_uuid(uuid::Uuid::nil()));
        let source: SourceSlug = "linear".parse().unwrap();
        let now: Timestamp = "2026-11-15T09:00:00Z".parse().unwrap();
        for at in 0..200 {
            breakers.report(org, &source, at % 3 != 0, now);
            assert!(breakers.admits(org, &source, now));
        }
    }
}
