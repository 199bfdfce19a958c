//! The circuit breaker: a source that keeps failing is left alone for a while, per org.

use std::{
    collections::{HashMap, VecDeque},
    sync::Mutex,
    time::Duration,
};

use jiff::Timestamp;
use model::OrgId;

/// How many calls are remembered.
const WINDOW: usize = 20;
/// With fewer than this, nothing is concluded.
const LEAST: usize = 10;
/// How long an open circuit rests before one probe is let through.
pub(crate) const REST: Duration = Duration::from_secs(30);

/// All circuits of this process.
#[derive(Default)]
pub(crate) struct Breakers(Mutex<HashMap<(OrgId, String), Circuit>>);

/// What a call of an org goes to: a source, or a provider of models.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) org: OrgId,
    pub(crate) name: &'a str,
}

/// A circuit is open while `open_until` is set.
#[derive(Default)]
struct Circuit {
    recent: VecDeque<bool>,
    open_until: Option<Timestamp>,
}

/// The permission to make a call; it is returned with the result of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// The circuit is closed.
    Closed,
    /// The circuit is open and has rested: this call tests whether the target works.
    Probe,
}

impl Breakers {
    /// Whether a call may be made. An open circuit lets one probe through after each rest, so that a probe that never
    /// reports does not keep it open for ever.
    pub(crate) fn admits(&self, target: Target<'_>, now: Timestamp) -> Option<Pass> {
        let Ok(mut circuits) = self.0.lock() else { return Some(Pass::Closed) };
        let Some(circuit) = circuits.get_mut(&(target.org, target.name.to_owned())) else {
            return Some(Pass::Closed);
        };
        match circuit.open_until {
            None => Some(Pass::Closed),
            Some(until) if now < until => None,
            Some(_) => {
                circuit.open_until = Some(now + REST);
                Some(Pass::Probe)
            }
        }
    }

    /// Reports a call: `healthy` means the target answered, whatever it said.
    pub(crate) fn report(&self, target: Target<'_>, pass: Pass, healthy: bool, now: Timestamp) {
        let Ok(mut circuits) = self.0.lock() else { return };
        let circuit = circuits.entry((target.org, target.name.to_owned())).or_default();
        match (pass, circuit.open_until) {
            (Pass::Probe, _) if healthy => *circuit = Circuit::default(),
            (Pass::Probe, _) => circuit.open_until = Some(now + REST),
            // The call was made before the circuit opened and says nothing new.
            (Pass::Closed, Some(_)) => {}
            (Pass::Closed, None) => {
                circuit.recent.push_back(healthy);
                if circuit.recent.len() > WINDOW {
                    circuit.recent.pop_front();
                }
                let failed = circuit.recent.iter().filter(|healthy| !**healthy).count();
                if circuit.recent.len() >= LEAST && failed * 2 > circuit.recent.len() {
                    *circuit = Circuit { open_until: Some(now + REST), ..Circuit::default() };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One circuit, and a clock.
    struct Bench {
        breakers: Breakers,
        org: OrgId,
        source: String,
        now: Timestamp,
    }

    impl Bench {
        fn new() -> Self {
            Self {
                breakers: Breakers::default(),
                org: OrgId::from_uuid(uuid::Uuid::nil()),
                source: "linear".to_owned(),
                now: "2026-11-15T09:00:00Z".parse().unwrap(),
            }
        }

        fn opened() -> Self {
            let bench = Self::new();
            for _ in 0..LEAST {
                assert_eq!(bench.admits(), Some(Pass::Closed));
                bench.report(Pass::Closed, false);
            }
            bench
        }

        fn admits(&self) -> Option<Pass> {
            self.breakers.admits(Target { org: self.org, name: &self.source }, self.now)
        }

        fn report(&self, pass: Pass, healthy: bool) {
            self.breakers.report(Target { org: self.org, name: &self.source }, pass, healthy, self.now);
        }
    }

    #[test]
    fn a_circuit_opens_on_failures_probes_once_and_closes_on_a_success() {
        let mut bench = Bench::opened();
        assert_eq!(bench.admits(), None, "ten failures open it");
        let other = OrgId::from_uuid(uuid::Uuid::max());
        let elsewhere = bench.breakers.admits(Target { org: other, name: &bench.source }, bench.now);
        assert_eq!(elsewhere, Some(Pass::Closed), "another org is not affected");
        bench.now += REST;
        assert_eq!(bench.admits(), Some(Pass::Probe));
        assert_eq!(bench.admits(), None, "only one");
        bench.report(Pass::Probe, false);
        assert_eq!(bench.admits(), None, "a failed probe opens it again");
        bench.now += REST;
        assert_eq!(bench.admits(), Some(Pass::Probe));
        bench.report(Pass::Probe, true);
        assert_eq!((bench.admits(), bench.admits()), (Some(Pass::Closed), Some(Pass::Closed)));
    }

    #[test]
    fn a_probe_nobody_hears_of_again_is_followed_by_another() {
        let mut bench = Bench::opened();
        for _ in 0..3 {
            bench.now += REST;
            assert_eq!((bench.admits(), bench.admits()), (Some(Pass::Probe), None));
        }
    }

    #[test]
    fn calls_made_before_it_opened_say_nothing_new() {
        let mut bench = Bench::opened();
        bench.now += REST / 2;
        for _ in 0..WINDOW {
            bench.report(Pass::Closed, false);
        }
        bench.now += REST / 2;
        assert_eq!(bench.admits(), Some(Pass::Probe), "late failures do not make the rest longer");
        bench.report(Pass::Closed, true);
        assert_eq!(bench.admits(), None, "a late answer is not the probe's");
    }

    #[test]
    fn few_failures_among_successes_open_nothing() {
        let bench = Bench::new();
        for at in 0..200 {
            bench.report(Pass::Closed, at % 3 != 0);
            assert_eq!(bench.admits(), Some(Pass::Closed));
        }
    }
}
