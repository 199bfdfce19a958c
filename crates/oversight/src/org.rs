//! The settings of an org: how it approves, and how long it stores receipts. A change and its event are one transaction,
//! so that nobody relaxes a rule unnoticed.

use changes::Author;
use events::Event;
use model::{Actor, EventType};
use pipeline::read;
use platform::db;
use receipt::passkey::Statement;
use serde_json::json;
use tenancy::{OrgChange, OrgInfo};

use crate::{error::Error, parts::Oversight, passkeys::SignedAt};

impl Oversight {
    /// Changes the settings of an org. Only a passkey switches off that approvals are signed with one.
    pub async fn change_org(
        &self,
        by: &Author,
        change: OrgChange,
        signed: Option<SignedAt>,
    ) -> Result<OrgInfo, Error> {
        let org = by.org;
        let mut tx = self.parts.db.begin(org).await?;
        // Of a change that a second owner agreed to, the signature was checked when it was proposed.
        if change.passkey == Some(false) && by.second.agreed.is_none() {
            self.check_switching_off(&mut tx, by, signed).await?;
        }
        let (before, after) = self.parts.tenancy.change_org(&mut tx, by, change).await?;
        if before != after {
            let data = json!({ "by": by.user, "before": before.settings(), "after": after.settings() });
            let event = Event::new(&self.parts.world, EventType::OrgChanged, org, data);
            self.parts.events.stage(&mut tx, org, std::iter::once(&event)).await?;
        }
        db::commit(tx).await?;
        Ok(after)
    }

    async fn check_switching_off(
        &self,
        tx: &mut db::Tx,
        by: &Author,
        signed: Option<SignedAt>,
    ) -> Result<(), Error> {
        let Actor { org, user } = by.actor().ok_or(tenancy::Error::Unauthenticated)?;
        if !self.parts.tenancy.approval_settings(tx, org).await?.passkey {
            return Ok(());
        }
        let signed = signed.ok_or(read::Error::PasskeyNeeded)?;
        let (org_text, user_text) = (org.to_string(), user.to_string());
        let statement = Statement::UnsignedApprovals { org: &org_text, user: &user_text, at: &signed.at };
        self.check_signed_now(tx, Actor { org, user }, &signed, &statement).await
    }
}
