//! How an org approves, and how long it keeps what receipts say: changed and told of in one transaction, so that nobody
//! loosens a rule unnoticed.

use events::Event;
use model::{EventType, OrgId, UserId};
use platform::db;
use serde_json::{Value, json};
use tenancy::{OrgChange, OrgInfo};

use crate::{Error, Pipeline};

impl Pipeline {
    /// Changes the org, as somebody asked.
    pub async fn change_org(&self, (org, by): (OrgId, UserId), change: OrgChange) -> Result<OrgInfo, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let (before, after) = self.parts.tenancy.change_org(&mut tx, org, change).await?;
        if before != after {
            let data = json!({ "by": by, "before": told(&before), "after": told(&after) });
            let event = Event::new(&self.parts.world, EventType::OrgChanged, org, data);
            self.parts.events.stage(&mut tx, org, std::iter::once(&event)).await?;
        }
        db::commit(tx).await?;
        Ok(after)
    }
}

fn told(org: &OrgInfo) -> Value {
    json!({
        "approval_quorum": org.approvals.quorum,
        "approval_four_eyes": org.approvals.four_eyes,
        "approval_passkey": org.approvals.passkey,
        "receipts_kept_days": org.receipts_kept_days,
    })
}
