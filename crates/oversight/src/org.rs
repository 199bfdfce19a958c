//! The settings of an org: how it approves, and how long it stores receipts. A change and its event are one transaction,
//! so that nobody relaxes a rule unnoticed.

use changes::Author;
use events::Event;
use model::EventType;
use platform::db;
use serde_json::json;
use tenancy::{OrgChange, OrgInfo};

use crate::{error::Error, parts::Oversight};

impl Oversight {
    /// Changes the settings of an org.
    pub async fn change_org(&self, by: &Author, change: OrgChange) -> Result<OrgInfo, Error> {
        let org = by.org;
        let mut tx = self.parts.db.begin(org).await?;
        let (before, after) = self.parts.tenancy.change_org(&mut tx, by, change).await?;
        if before != after {
            let data = json!({ "by": by.user, "before": before.settings(), "after": after.settings() });
            let event = Event::new(&self.parts.world, EventType::OrgChanged, org, data);
            self.parts.events.stage(&mut tx, org, std::iter::once(&event)).await?;
        }
        db::commit(tx).await?;
        Ok(after)
    }
}
