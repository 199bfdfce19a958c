//! Typed, prefixed ids. A raw UUID never crosses a function boundary; `inv_…` cannot be passed as `ses_…`.

use std::{fmt, str::FromStr};

use uuid::Uuid;

/// Why a text is not an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an id of this kind: expected `{prefix}` followed by 32 hexadecimal digits")]
pub struct IdError {
    prefix: &'static str,
}

fn parse(prefix: &'static str, text: &str) -> Result<Uuid, IdError> {
    let error = IdError { prefix };
    let hex = text.strip_prefix(prefix).ok_or(error)?;
    // One spelling per id: upper case, hyphens and braces are other texts, not other spellings.
    let canonical = hex.len() == 32 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if !canonical {
        return Err(error);
    }
    Uuid::try_parse(hex).map_err(|_| error)
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// What every id of this kind starts with.
            pub const PREFIX: &'static str = $prefix;

            /// Takes a UUID as one of this kind; only stores and id generation do this.
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The bare UUID, for binding to a query.
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $prefix, self.0.simple())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                parse($prefix, text).map(Self)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

ids! {
    /// A tenant.
    OrgId = "org_";
    /// A person.
    UserId = "usr_";
    /// An area of an org with a risk band.
    SpaceId = "spc_";
    /// One agent's working period.
    SessionId = "ses_";
    /// A person's or a program's key to the API.
    ApiTokenId = "tok_";
    /// A link with which one person joins an org.
    InvitationId = "ivt_";
    /// What a person signs with.
    PasskeyId = "psk_";
    /// A sealed value an org keeps with us.
    SecretId = "sec_";
    /// An org's credential for an integration.
    ConnectionId = "con_";
    /// A server with language models.
    ModelProviderId = "mpv_";
    /// A server an org has connected: its tools become actions.
    ConnectorId = "cnr_";
    /// A stored mode for an action.
    RuleId = "rul_";
    /// A policy, written as text.
    PolicyId = "pol_";
    /// A fact about the past.
    FactId = "fct_";
    /// That somebody agreed to a purpose.
    ConsentId = "cns_";
    /// A bounded standing permission.
    GrantId = "grt_";
    /// What an agent asked to be granted.
    GrantRequestId = "grq_";
    /// One person's vote.
    ApprovalId = "apr_";
    /// One request to perform one action.
    InvocationId = "inv_";
    /// The signed account of a terminal invocation.
    ReceiptId = "rcp_";
    /// The signed account of a change of authority.
    ChangeId = "chg_";
    /// A change of authority that waits for a second owner.
    ProposedChangeId = "pch_";
    /// Something that happened.
    EventId = "evt_";
    /// An address of an org that events are sent to.
    WebhookId = "whk_";
    /// One event on its way to one webhook.
    DeliveryId = "dlv_";
    /// Where an org's people are told that something waits for them.
    NotifierId = "ntf_";
    /// One thing that a notifier tells.
    NoticeId = "ntc_";
    /// Saved work.
    AutomationId = "aut_";
    /// What starts saved work.
    TriggerId = "trg_";
    /// Saved work being done, once.
    RunId = "run_";
    /// The key under which an org's values are sealed.
    DataKeyId = "dek_";
    /// A key that signs receipts.
    SigningKeyId = "key_";
}

/// Something that belongs to an org, by its id. Two ids that travel together, so that no query forgets the org.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InOrg<Id> {
    pub org: OrgId,
    pub id: Id,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_and_no_other_spelling_does() {
        let id = InvocationId::from_uuid(Uuid::from_u128(0x0192_f00d));
        let text = id.to_string();
        assert_eq!(text.parse(), Ok(id));
        for bad in [
            text.to_uppercase(),
            text.replace("inv_", "ses_"),
            format!("{text}0"),
            text[..text.len() - 1].to_owned(),
            format!("inv_{}", id.uuid().hyphenated()),
            String::new(),
        ] {
            assert!(bad.parse::<InvocationId>().is_err(), "{bad}");
        }
    }
}
