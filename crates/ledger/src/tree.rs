//! The Merkle tree of the log: growth by tiles, and the hashes for proofs.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use platform::db;
use receipt::{
    merkle::{self, Hash},
    tile::{self, Tile},
};
use sqlx::PgConnection;

use crate::{Error, store};

/// The right edge of the tree: the incomplete tile of each level.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edge {
    size: u64,
    levels: Vec<Vec<Hash>>,
}

impl Edge {
    /// The edge of the log as it is stored.
    pub(crate) async fn load(conn: &mut PgConnection, size: u64) -> Result<Self, Error> {
        let edge: Vec<Tile> = (0..)
            .map_while(|level| {
                let on_level = size.checked_shr(tile::HEIGHT * level).unwrap_or_default();
                (on_level > 0).then_some(Tile { level, index: on_level / tile::FULL })
            })
            .collect();
        let stored = store::log::tiles(conn, &edge).await?;
        let levels = edge.into_iter().map(|tile| {
            let width = usize::try_from(tile.width(size)).unwrap_or_default();
            match stored.get(&tile) {
                Some(hashes) if hashes.len() == width => Ok(hashes.clone()),
                None if width == 0 => Ok(vec![]),
                _ => Err(Error::Database(db::Error::Inconsistent { column: "ledger_tiles.hashes" })),
            }
        });
        Ok(Self { size, levels: levels.collect::<Result<_, Error>>()? })
    }

    pub(crate) const fn size(&self) -> u64 {
        self.size
    }

    /// Adds leaves. Returns the tiles to write, with their new content.
    pub(crate) fn grow(&mut self, leaves: &[Hash]) -> Vec<(Tile, Vec<Hash>)> {
        let mut changed: HashMap<Tile, Vec<Hash>> = HashMap::new();
        for leaf in leaves {
            self.push(0, *leaf, &mut changed);
            self.size += 1;
        }
        for (level, hashes) in (0..).zip(&self.levels) {
            let on_level = self.size.checked_shr(tile::HEIGHT * level).unwrap_or_default();
            let tile = Tile { level, index: on_level / tile::FULL };
            if !hashes.is_empty() {
                changed.insert(tile, hashes.clone());
            }
        }
        let mut changed: Vec<_> = changed.into_iter().collect();
        changed.sort_unstable_by_key(|(tile, _)| *tile);
        changed
    }

    fn push(&mut self, level: u32, hash: Hash, changed: &mut HashMap<Tile, Vec<Hash>>) {
        let place = usize::try_from(level).unwrap_or_default();
        while self.levels.len() <= place {
            self.levels.push(vec![]);
        }
        let Some(hashes) = self.levels.get_mut(place) else { return };
        hashes.push(hash);
        if hashes.len() as u64 == tile::FULL {
            let full = std::mem::take(hashes);
            let above = merkle::fold_level(&full);
            // The leaf that filled it is not counted yet.
            let index = (self.size.checked_shr(tile::HEIGHT * level).unwrap_or_default()) / tile::FULL;
            changed.insert(Tile { level, index }, full);
            self.push(level + 1, above, changed);
        }
    }

    /// The root over everything.
    pub(crate) fn root(&self) -> Hash {
        let mut peaks = Vec::new();
        for hashes in self.levels.iter().rev() {
            let cover = merkle::cover(0..hashes.len() as u64);
            peaks.extend(cover.into_iter().filter_map(|node| {
                let from = usize::try_from(node.index << node.level).ok()?;
                tile::node_in(hashes, from..from + (1 << node.level))
            }));
        }
        merkle::root_of(&peaks)
    }
}

/// The roots of ranges of the log, each computed from as few hashes as possible.
pub(crate) async fn roots(
    conn: &mut PgConnection,
    stretches: &[Vec<Range<u64>>],
) -> Result<Vec<Vec<Hash>>, Error> {
    let nodes = || stretches.iter().flatten().flat_map(|range| merkle::cover(range.clone()));
    let wanted: BTreeSet<Tile> = nodes().map(|node| Tile::of(node).0).collect();
    let stored = store::log::tiles(conn, &wanted.into_iter().collect::<Vec<_>>()).await?;
    let root = |range: &Range<u64>| {
        let hashes: Option<Vec<Hash>> = merkle::cover(range.clone())
            .into_iter()
            .map(|node| {
                let (tile, place) = Tile::of(node);
                tile::node_in(stored.get(&tile)?, place)
            })
            .collect();
        hashes.map(|hashes| merkle::root_of(&hashes))
    };
    let roots = stretches.iter().map(|stretch| stretch.iter().map(root).collect::<Option<Vec<_>>>());
    roots
        .collect::<Option<_>>()
        .ok_or(Error::Database(db::Error::Inconsistent { column: "ledger_tiles.hashes" }))
}

/// The root over the first entries.
pub(crate) async fn root_at(conn: &mut PgConnection, size: u64) -> Result<Hash, Error> {
    if size == 0 {
        return Ok(merkle::empty_root());
    }
    let whole: Vec<_> = std::iter::once(0..size).collect();
    let root = roots(conn, &[whole]).await?.into_iter().flatten().next();
    root.ok_or(Error::Database(db::Error::Inconsistent { column: "ledger_tiles.hashes" }))
}

#[cfg(test)]
mod tests {
    use receipt::merkle::Growing;

    use super::*;

    #[test]
    fn tiles_that_grow_in_any_steps_have_the_root_of_the_tree() {
        for step in [1_usize, 7, 255, 256, 257, 1_000] {
            let leaves: Vec<Hash> = (0..70_000_u32).map(|n| merkle::leaf(&n.to_be_bytes())).collect();
            let (mut edge, mut tree) = (Edge::default(), Growing::default());
            let mut tiles: HashMap<Tile, Vec<Hash>> = HashMap::new();
            for leaves in leaves.chunks(step).take(70_000 / step.max(23)) {
                for (tile, hashes) in edge.grow(leaves) {
                    let before = tiles.insert(tile, hashes.clone()).unwrap_or_default();
                    assert!(hashes.starts_with(&before), "a hash that is there stays there");
                }
                leaves.iter().for_each(|leaf| tree.push(*leaf));
                assert_eq!((edge.size(), edge.root()), (tree.size(), tree.root()));
            }
            let expected: BTreeSet<Tile> = Tile::all(edge.size()).collect();
            assert_eq!(tiles.keys().copied().collect::<BTreeSet<_>>(), expected);
            for (tile, hashes) in &tiles {
                assert_eq!(hashes.len() as u64, tile.width(edge.size()));
            }
        }
    }
}
