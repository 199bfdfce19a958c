//! Who works where: roles of people, kinds of sessions, bands of spaces.

use serde::{Deserialize, Serialize};

/// What a person may do in an org. Ordered: a higher role may do all a lower one may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Works with sessions and reads.
    Member,
    /// Sets policy and connects sources.
    Admin,
    /// May do everything.
    Owner,
}

impl Role {
    /// Every role, from the least to the greatest.
    pub const ALL: [Self; 3] = [Self::Member, Self::Admin, Self::Owner];

    /// The role as it is written and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Admin => "admin",
            Self::Owner => "owner",
        }
    }

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }
}

/// A person, or a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemberKind {
    /// Votes and signs.
    Person,
    /// A service account: it has tokens and no vote.
    Service,
}

impl MemberKind {
    /// The kind as it is written and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Service => "service",
        }
    }

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Person, Self::Service].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// How careful a space is. Ordered from the most open to the most closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RiskBand {
    /// The rules alone decide.
    Green,
    /// Writes need approval whatever the rules say.
    Amber,
    /// As amber, and what is hard to undo is denied.
    Red,
    /// Nothing but computing and reading.
    Black,
}

impl RiskBand {
    /// Every band, from the most open to the most closed.
    pub const ALL: [Self; 4] = [Self::Green, Self::Amber, Self::Red, Self::Black];

    /// The band as it is written and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Amber => "amber",
            Self::Red => "red",
            Self::Black => "black",
        }
    }

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|band| band.as_str() == text)
    }
}

/// Who works in a space, besides admins and owners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpenTo {
    /// Every member of the org.
    Everyone,
    /// Those who are listed as members of the space.
    Members,
}

impl OpenTo {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Everyone, Self::Members];

    /// The word as it is written and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Everyone => "everyone",
            Self::Members => "members",
        }
    }

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|open| open.as_str() == text)
    }
}

/// Whether a person is likely to be near.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionKind {
    /// A person watches: approvals expire in minutes.
    Interactive,
    /// Nobody watches: approvals may take a day.
    Unattended,
}

impl SessionKind {
    /// The kind as it is written and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Unattended => "unattended",
        }
    }

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Interactive, Self::Unattended].into_iter().find(|kind| kind.as_str() == text)
    }
}
