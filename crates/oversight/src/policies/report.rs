//! Reports of policies that observe: what they would have done.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use model::{InvocationId, Mode, OrgId};
use pipeline::read::{self, ObservedFlow};
use platform::period;

use crate::{error::Error, parts::Oversight};

/// What a policy that observes would have done.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub held: u64,
    pub would_ask: u64,
    pub would_deny: u64,
    pub already_stricter: u64,
    pub by_action: BTreeMap<String, ActionReport>,
}

/// The same for one action.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ActionReport {
    pub would_ask: u64,
    pub would_deny: u64,
    pub examples: Vec<InvocationId>,
}

impl Oversight {
    /// What was held of the flow of data in the last days, or would have been, and since when that is.
    pub async fn flow_report(&self, org: OrgId, days: u32) -> Result<(Timestamp, Vec<ObservedFlow>), Error> {
        let since = self.parts.world.clock.now() - SignedDuration::from_hours(24 * i64::from(days));
        let mut tx = self.parts.db.begin(org).await?;
        Ok((since, read::observed_flows(&mut tx, org, period::least_uuid(since)).await?))
    }

    /// The reports of the last days, by the name of the policy, and since when they are. A policy that began to observe later
    /// is there from then on.
    pub async fn policy_reports(
        &self,
        org: OrgId,
        days: u32,
    ) -> Result<(Timestamp, BTreeMap<String, Report>), Error> {
        let since = self.parts.world.clock.now() - SignedDuration::from_hours(24 * i64::from(days));
        let mut tx = self.parts.db.begin(org).await?;
        let mut reports: BTreeMap<String, Report> = BTreeMap::new();
        for observed in read::observed(&mut tx, org, period::least_uuid(since)).await? {
            let report = reports.entry(observed.policy).or_default();
            let count = u64::try_from(observed.count).unwrap_or_default();
            report.held += count;
            if observed.mode >= observed.wanted {
                report.already_stricter += count;
                continue;
            }
            let action = report.by_action.entry(observed.action).or_default();
            match observed.wanted {
                Mode::Deny => {
                    (report.would_deny, action.would_deny) =
                        (report.would_deny + count, action.would_deny + count)
                }
                _ => {
                    (report.would_ask, action.would_ask) =
                        (report.would_ask + count, action.would_ask + count)
                }
            }
            action.examples.extend(observed.examples);
        }
        Ok((since, reports))
    }
}
