//! Walks a whole log: whether it is the signed log, whether it continues the checkpoints that were kept, and whether it
//! has no gaps.

use std::collections::HashMap;

use crate::{
    Checkpoint, Entry,
    merkle::{Growing, Hash},
};

/// A problem of a log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    /// The tiles do not give the signed root.
    #[error("the entries do not give the root that checkpoint {size} signs")]
    RootDiffers { size: u64 },
    /// A kept checkpoint of this size has another root.
    #[error("the kept checkpoint of {size} entries has another root: the log was rewritten or split")]
    Forked { size: u64 },
    /// A kept checkpoint is of a longer log.
    #[error("the log has {size} entries, but a kept checkpoint has {kept}: entries are missing")]
    Shorter { size: u64, kept: u64 },
    /// A kept checkpoint is of another log.
    #[error("a kept checkpoint belongs to the log {0:?}")]
    AnotherLog(String),
    /// A record differs from the entry that the log holds.
    #[error("entry {index} of the log is not {what}")]
    LeafDiffers { index: u64, what: String },
    /// A number of an org is missing.
    #[error("{org} has no entry {number}, but a later one")]
    Gap { org: String, number: u64 },
    /// A number of an org is used twice.
    #[error("{org} has entry {number} twice")]
    Twice { org: String, number: u64 },
    /// The numbers of an org are not in the order of the log.
    #[error("entry {number} of {org} is in the log before an earlier one")]
    Order { org: String, number: u64 },
    /// No record accounts for an entry of the log.
    #[error("no record matches entry {index} of the log")]
    Unexplained { index: u64 },
    /// The body is missing, and no entry of the log records its erasure.
    #[error("the body of {id} is missing, and no entry of the log says that it was erased")]
    NotErased { id: String },
}

impl WalkError {
    /// A stable code for the finding.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::RootDiffers { .. } => "root_differs",
            Self::Forked { .. } => "forked",
            Self::Shorter { .. } => "shorter_than_kept",
            Self::AnotherLog(_) => "another_log",
            Self::LeafDiffers { .. } => "leaf_differs",
            Self::Gap { .. } => "number_missing",
            Self::Twice { .. } => "number_twice",
            Self::Order { .. } => "number_order",
            Self::Unexplained { .. } => "unexplained_entry",
            Self::NotErased { .. } => "not_erased",
        }
    }
}

/// Walks a log from its first leaf to its last, and compares it with every kept checkpoint.
#[derive(Debug, Clone)]
pub struct Walk {
    tree: Growing,
    /// Ordered by size.
    kept: Vec<Checkpoint>,
    signed: Checkpoint,
}

impl Walk {
    /// Starts before the first leaf.
    pub fn new(signed: Checkpoint, mut kept: Vec<Checkpoint>) -> Result<Self, WalkError> {
        if let Some(other) = kept.iter().find(|kept| kept.origin != signed.origin) {
            return Err(WalkError::AnotherLog(other.origin.clone()));
        }
        kept.sort_by_key(|kept| kept.size);
        if let Some(longest) = kept.last().filter(|longest| longest.size > signed.size) {
            return Err(WalkError::Shorter { size: signed.size, kept: longest.size });
        }
        let walk = Self { tree: Growing::default(), kept, signed };
        walk.compare()?;
        Ok(walk)
    }

    /// Adds the next leaf.
    pub fn push(&mut self, leaf: Hash) -> Result<(), WalkError> {
        self.tree.push(leaf);
        self.compare()
    }

    /// Checks that the leaves are those of the signed checkpoint.
    pub fn finish(self) -> Result<(), WalkError> {
        if (self.tree.size(), self.tree.root()) == (self.signed.size, self.signed.root) {
            Ok(())
        } else {
            Err(WalkError::RootDiffers { size: self.signed.size })
        }
    }

    fn compare(&self) -> Result<(), WalkError> {
        let size = self.tree.size();
        let mut same_size = self.kept.iter().filter(|kept| kept.size == size).peekable();
        if same_size.peek().is_none() {
            return Ok(());
        }
        let root = self.tree.root();
        if same_size.all(|kept| kept.root == root) { Ok(()) } else { Err(WalkError::Forked { size }) }
    }
}

/// The state before the given entries: how many entries were accounted for, and the last number of each org.
#[derive(Debug, Clone, Default)]
pub struct Before<'b> {
    pub size: u64,
    pub numbers: HashMap<&'b str, u64>,
}

/// Checks that entries are at their stated places, and that the numbers of each org have no gaps.
///
/// `leaf` returns the hash that the log holds at an index; with `everything`, the log must not hold an entry that is
/// not given.
pub fn account<'e>(
    entries: impl IntoIterator<Item = (u64, &'e Entry)>,
    size: u64,
    everything: bool,
    before: &Before<'_>,
    leaf: impl Fn(u64) -> Option<Hash>,
) -> Vec<WalkError> {
    let mut findings = Vec::new();
    let mut entries: Vec<_> = entries.into_iter().collect();
    entries.sort_by_key(|(index, _)| *index);
    let mut last: HashMap<&str, u64> = HashMap::new();
    let mut expected = before.size;
    for (index, entry) in entries {
        if everything {
            findings.extend((expected..index.min(size)).map(|index| WalkError::Unexplained { index }));
            expected = index.saturating_add(1);
        }
        let is_there = entry.leaf().is_ok_and(|own| leaf(index) == Some(own));
        if !is_there {
            findings.push(WalkError::LeafDiffers { index, what: entry.name() });
        }
        let Some((org, number)) = entry.place() else { continue };
        let earlier = || before.numbers.get(org).copied().unwrap_or_default();
        let before = last.insert(org, number).unwrap_or_else(earlier);
        let org = || org.to_owned();
        if number == before {
            findings.push(WalkError::Twice { org: org(), number });
        } else if number < before {
            findings.push(WalkError::Order { org: org(), number });
        } else if number > before + 1 {
            findings.push(WalkError::Gap { org: org(), number: before + 1 });
        }
    }
    if everything {
        findings.extend((expected..size).map(|index| WalkError::Unexplained { index }));
    }
    findings
}
