//! Servers that an organization has connected, and their tools: as last seen, and as a person reviewed them.
//!
//! Parts: a [`Connector`] is a server; an [`Offer`] is what the server says about one tool; a [`Tool`] is the row of a
//! tool, with the reviewed version; an [`OrgCatalog`] is everything of it that an organization can call, compiled.
//!
//! INVARIANT: no text of a server reaches an agent before a person has accepted it.
//! INVARIANT: a tool whose shape is not the reviewed one has drifted, and so has a tool that nobody reviewed.
//! INVARIANT: a review applies to what the reviewer saw: it names the hashes of shape and text, and counts only if both
//! are still current.

mod diff;
mod harvest;
mod lint;
mod look;
mod offer;
mod org;
mod pin;
pub mod store;
mod tool;

use jiff::Timestamp;
use model::{ConnectorId, Disposition, ErrorClass, SourceSlug, UserId};
use platform::db;
use secrecy::ExposeSecret as _;
use url::Url;

use crate::{CallContext, SourceError};

pub use crate::limits::connector::MOST_CONNECTORS;
pub use diff::{Difference, differences};
pub use harvest::{Harvest, Reviewing, Seen, failed, review};
pub(crate) use lint::harmless;
pub use lint::{MOST_TOOLS, skeleton};
pub(crate) use look::Looks;
pub use offer::{Hints, Offer};
pub use org::{OrgCatalog, Sources};
pub(crate) use pin::Pins;
#[cfg(test)]
pub(crate) use tool::claimed_risk;
pub use tool::{Review, Reviewed, Tool};

/// An error of connectors.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The connector or tool does not exist in this organization.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// A connector with this slug, or with one that can be mistaken for it, already exists.
    #[error("{0}")]
    Exists(String),
    /// A value violates a rule; with the rule.
    #[error("{0}")]
    Invalid(String),
    /// The tool is no longer what the reviewer saw.
    #[error("the tool changed while it was being reviewed; look at it again")]
    Changed,
    /// The server could not be asked for its tools.
    #[error("{0}")]
    Unreachable(String),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] db::Error),
}

impl Error {
    /// A stable name for people and programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "not_found",
            Self::Exists(_) => "already_exists",
            Self::Invalid(_) => "invalid_request",
            Self::Changed => "tool_changed",
            Self::Unreachable(_) => "connector_unreachable",
            Self::Database(_) => "storage_unavailable",
        }
    }

    /// How a caller can react.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::NotFound(_) => Disposition::NotFound,
            Self::Exists(_) | Self::Changed => Disposition::Conflict,
            Self::Invalid(_) => Disposition::Invalid,
            Self::Unreachable(_) => Disposition::Terminal,
            Self::Database(error) if error.is_transient() => Disposition::Retry,
            Self::Database(_) => Disposition::Bug,
        }
    }
}

/// How a server is connected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// An MCP server over Streamable HTTP.
    Mcp {
        /// The URL of the server.
        url: Url,
    },
    /// An MCP server over the standard streams of a command that the operator declared.
    Stdio {
        /// The name under which it was declared.
        command: String,
    },
    /// An HTTP service with an OpenAPI document.
    OpenApi {
        /// The URL of the document.
        document: Url,
        /// The URL at which the operations are called, if it is not the one in the document.
        base: Option<Url>,
    },
}

impl Kind {
    /// The kind as text, as it is stored.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Mcp { .. } => "mcp",
            Self::Stdio { .. } => "stdio",
            Self::OpenApi { .. } => "openapi",
        }
    }

    /// The location as text: a URL, or the name of a command.
    pub fn place(&self) -> &str {
        match self {
            Self::Mcp { url } => url.as_str(),
            Self::Stdio { command } => command,
            Self::OpenApi { document, .. } => document.as_str(),
        }
    }

    /// The URL for calls, if it is set separately.
    pub fn base(&self) -> Option<&str> {
        match self {
            Self::OpenApi { base, .. } => base.as_ref().map(Url::as_str),
            _ => None,
        }
    }

    /// Parses the results of [`Self::as_str`], [`Self::place`] and [`Self::base`].
    pub fn parse(kind: &str, place: &str, base: Option<&str>) -> Result<Self, Error> {
        let address = |text: &str| {
            let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            let url =
                url.filter(|url| url.has_host() && url.username().is_empty() && url.password().is_none());
            url.ok_or_else(|| {
                Error::Invalid("an address is `https://…`, without a user or password".to_owned())
            })
        };
        match kind {
            "mcp" => Ok(Self::Mcp { url: address(place)? }),
            "stdio" => Ok(Self::Stdio { command: place.to_owned() }),
            "openapi" => {
                Ok(Self::OpenApi { document: address(place)?, base: base.map(address).transpose()? })
            }
            _ => {
                Err(Error::Invalid("the kind of a connector must be `mcp`, `stdio` or `openapi`".to_owned()))
            }
        }
    }
}

/// How calls are authenticated. Only the name of the secret is stored here; the secret is resolved for each call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Auth {
    /// No authentication.
    None,
    /// `Authorization: Bearer …`.
    Bearer { secret: String },
    /// A header with another name.
    Header { header: String, secret: String },
    /// Tokens from an authorization server, stored as a secret and renewed there.
    OAuth { secret: String },
}

impl std::fmt::Display for Auth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())?;
        let mut named = self.header().into_iter().chain(self.secret());
        named.try_for_each(|name| write!(f, " {name}"))
    }
}

impl Auth {
    /// The method as text, as it is stored.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Bearer { .. } => "bearer",
            Self::Header { .. } => "header",
            Self::OAuth { .. } => "oauth",
        }
    }

    /// The name of the secret.
    pub fn secret(&self) -> Option<&str> {
        match self {
            Self::None => None,
            Self::Bearer { secret } | Self::Header { secret, .. } | Self::OAuth { secret } => Some(secret),
        }
    }

    /// The credential for a call; `None` if none is needed.
    pub(crate) fn credential<'a>(&self, ctx: &'a CallContext) -> Result<Option<&'a str>, SourceError> {
        let credential = ctx.credential.as_ref().map(|credential| credential.token.expose_secret());
        if self.secret().is_some() && credential.is_none() {
            let message = "this connector has no credential yet; ask an admin to set its secret";
            return Err(SourceError::not_sent(ErrorClass::Auth, message));
        }
        Ok(credential)
    }

    /// The name of the header, if it is not `Authorization`.
    pub fn header(&self) -> Option<&str> {
        match self {
            Self::Header { header, .. } => Some(header),
            _ => None,
        }
    }

    /// Parses the results of [`Self::as_str`], [`Self::header`] and [`Self::secret`].
    pub fn parse(auth: &str, header: Option<String>, secret: Option<String>) -> Result<Self, Error> {
        let invalid = |rule: &str| Err(Error::Invalid(rule.to_owned()));
        match (auth, header, secret) {
            ("none", None, None) => Ok(Self::None),
            ("bearer", None, Some(secret)) => Ok(Self::Bearer { secret }),
            ("oauth", None, Some(secret)) => Ok(Self::OAuth { secret }),
            ("header", Some(header), Some(secret)) => match http::HeaderName::try_from(&header) {
                Ok(name) if !RESERVED.contains(&name.as_str()) => Ok(Self::Header { header, secret }),
                _ => invalid("this header cannot carry a credential"),
            },
            _ => invalid(
                "`none` has no secret, `bearer` and `oauth` have one, `header` has one and the header's name",
            ),
        }
    }
}

/// Headers that have a meaning for the transport itself.
const RESERVED: [&str; 9] = [
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
    "transfer-encoding",
];

/// A server that an organization has connected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connector {
    pub id: ConnectorId,
    pub slug: SourceSlug,
    pub kind: Kind,
    pub auth: Auth,
    pub enabled: bool,
    /// The name that the server reported at the last harvest.
    pub server: Option<String>,
    pub last_harvested_at: Option<Timestamp>,
    /// Why the last harvest failed.
    pub last_error: Option<String>,
    pub created_by: UserId,
    pub created_at: Timestamp,
}

impl Connector {
    /// The secret it authenticates with, and the origin it sends it to.
    pub fn sends_secret(&self) -> Option<(&str, String)> {
        Some((self.auth.secret()?, self.origin()?))
    }

    /// The origin of its calls; `None` for a program on this machine.
    pub fn origin(&self) -> Option<String> {
        let url = match &self.kind {
            Kind::Mcp { url } => url,
            Kind::OpenApi { document, base } => base.as_ref().unwrap_or(document),
            Kind::Stdio { .. } => return None,
        };
        Some(url.origin().ascii_serialization())
    }
}
