//! Who makes a change, and how they are known.

use std::net::IpAddr;

use model::{Actor, ApiTokenId, OrgId, UserId};

use crate::Second;

/// Who makes a change.
#[derive(Debug, Clone)]
pub struct Author {
    /// The organization whose authority is changed.
    pub org: OrgId,
    /// The person; `None` for the operator and for the gateway itself.
    pub user: Option<UserId>,
    pub method: Method,
    /// The token or the browser's sign-in.
    pub token: Option<ApiTokenId>,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// Why, in their words.
    pub reason: Option<String>,
    /// The second person that a loosening needs.
    pub second: Second,
}

/// How the author of a change is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// By an API token.
    ApiToken,
    /// By the sign-in of a browser.
    Browser,
    /// By the identity provider.
    Identity,
    /// By the link of an invitation.
    Invitation,
    /// By a click in Slack.
    Slack,
    /// By access to the machine: a command of the operator.
    Operator,
    /// The gateway itself, as a consequence of something else.
    System,
}

impl Method {
    /// The word in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ApiToken => "api_token",
            Self::Browser => "browser",
            Self::Identity => "identity",
            Self::Invitation => "invitation",
            Self::Slack => "slack",
            Self::Operator => "operator",
            Self::System => "system",
        }
    }
}

impl Author {
    /// A person.
    pub const fn person(Actor { org, user }: Actor, method: Method, token: Option<ApiTokenId>) -> Self {
        Self {
            org,
            user: Some(user),
            method,
            token,
            address: None,
            reason: None,
            second: Second { wanted: None, agreed: None },
        }
    }

    /// The operator, at the machine.
    pub const fn operator(org: OrgId) -> Self {
        Self {
            org,
            user: None,
            method: Method::Operator,
            token: None,
            address: None,
            reason: None,
            second: Second { wanted: None, agreed: None },
        }
    }

    /// The gateway itself.
    pub const fn system(org: OrgId) -> Self {
        Self {
            org,
            user: None,
            method: Method::System,
            token: None,
            address: None,
            reason: None,
            second: Second { wanted: None, agreed: None },
        }
    }

    /// The person, if it is one.
    pub const fn actor(&self) -> Option<Actor> {
        match self.user {
            Some(user) => Some(Actor { org: self.org, user }),
            None => None,
        }
    }

    /// The same author with this reason, unless there is none, or they gave one already.
    #[must_use]
    pub fn because(&self, reason: Option<&str>) -> Self {
        let given = || reason.filter(|reason| !reason.is_empty()).map(str::to_owned);
        Self { reason: self.reason.clone().or_else(given), ..self.clone() }
    }
}
