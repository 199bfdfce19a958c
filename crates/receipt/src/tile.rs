//! Tiles: where the hashes of a log are found (C2SP `tlog-tiles`).
//!
//! A tile holds up to 256 adjacent hashes of one tile level; tile levels are eight levels of the tree apart. A full
//! tile never changes, so it can be cached anywhere forever.

use crate::merkle::{Hash, Node, fold_level};

/// The number of hashes in a full tile.
pub const FULL: u64 = 256;
/// The number of tree levels that a tile spans.
pub const HEIGHT: u32 = 8;

/// Identifies a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    pub level: u32,
    pub index: u64,
}

impl Tile {
    /// The tile that a node is computed from, and the range of its hashes in the tile.
    pub fn of(node: Node) -> (Self, std::ops::Range<usize>) {
        let (level, rest) = (node.level / HEIGHT, node.level % HEIGHT);
        let first = node.index << rest;
        // Below 256, and one tile holds all of them: 2^rest divides 256.
        let offset = usize::try_from(first % FULL).unwrap_or_default();
        (Self { level, index: first / FULL }, offset..offset + (1 << rest))
    }

    /// The number of hashes it has in a log of this size.
    pub fn width(self, size: u64) -> u64 {
        let on_level = size.checked_shr(HEIGHT * self.level).unwrap_or_default();
        on_level.saturating_sub(self.index.saturating_mul(FULL)).min(FULL)
    }

    /// Every tile of a log of this size, level by level.
    pub fn all(size: u64) -> impl Iterator<Item = Self> {
        let levels = (0..).map_while(move |level| {
            let on_level = size.checked_shr(HEIGHT * level).unwrap_or_default();
            (on_level > 0).then_some((level, on_level.div_ceil(FULL)))
        });
        levels.flat_map(|(level, tiles)| (0..tiles).map(move |index| Self { level, index }))
    }

    /// The path below the log's address; the path of a partial tile states its width.
    pub fn path(self, width: u64) -> String {
        let mut digits = format!("{:03}", self.index % 1_000);
        let mut rest = self.index / 1_000;
        while rest > 0 {
            digits = format!("x{:03}/{digits}", rest % 1_000);
            rest /= 1_000;
        }
        let partial = if width < FULL { format!(".p/{width}") } else { String::new() };
        format!("tile/{}/{digits}{partial}", self.level)
    }

    /// Parses the output of [`Tile::path`] without `tile/`: the tile and its width.
    pub fn parse(path: &str) -> Option<(Self, u64)> {
        let (level, rest) = path.split_once('/')?;
        let (digits, width) = match rest.split_once(".p/") {
            Some((digits, width)) => (digits, width.parse().ok().filter(|width| (1..FULL).contains(width))?),
            None => (rest, FULL),
        };
        let mut index = 0_u64;
        for group in digits.split('/') {
            let plain = group.strip_prefix('x').unwrap_or(group);
            let number: u64 = plain.parse().ok().filter(|_| plain.len() == 3)?;
            index = index.checked_mul(1_000)?.checked_add(number)?;
        }
        let tile = Self { level: level.parse().ok().filter(|level| *level < 8)?, index };
        // A tile has exactly one path: no other spelling is served, so none is cached beside it.
        (tile.path(width) == format!("tile/{path}")).then_some((tile, width))
    }
}

/// The hashes in a tile's bytes.
pub fn hashes(bytes: &[u8]) -> Option<Vec<Hash>> {
    let (hashes, rest) = bytes.as_chunks::<32>();
    rest.is_empty().then(|| hashes.to_vec())
}

/// The hash of a node, from the hashes of its tile.
pub fn node_in(hashes: &[Hash], range: std::ops::Range<usize>) -> Option<Hash> {
    Some(fold_level(hashes.get(range)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_specification() {
        let path = |level, index, width| Tile { level, index }.path(width);
        assert_eq!(path(0, 1_234_067, 256), "tile/0/x001/x234/067");
        assert_eq!(path(1, 0, 3), "tile/1/000.p/3");
        for (level, index, width) in [(0, 0, 256), (2, 999, 1), (0, 1_000, 255), (1, 123_456_789, 256)] {
            let tile = Tile { level, index };
            assert_eq!(Tile::parse(tile.path(width).strip_prefix("tile/").unwrap()), Some((tile, width)));
        }
        for bad in [
            "",
            "0",
            "0/",
            "0/1",
            "0/0001",
            "0/x000/001",
            "0/001.p/256",
            "0/001.p/0",
            "0/001.p/01",
            "9/000",
            "00/000",
            "0/001.p/",
            "0/-01",
            "0/x001/x002",
        ] {
            assert_eq!(Tile::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_log_has_the_tiles_its_size_needs() {
        let all = |size| Tile::all(size).map(|tile| tile.path(tile.width(size))).collect::<Vec<_>>();
        assert_eq!(all(0), Vec::<String>::new());
        assert_eq!(all(1), ["tile/0/000.p/1"]);
        assert_eq!(all(256), ["tile/0/000", "tile/1/000.p/1"]);
        assert_eq!(all(600), ["tile/0/000", "tile/0/001", "tile/0/002.p/88", "tile/1/000.p/2"]);
    }

    #[test]
    fn a_node_is_found_in_the_tile_above_it() {
        assert_eq!(Tile::of(Node { level: 0, index: 300 }), (Tile { level: 0, index: 1 }, 44..45));
        assert_eq!(Tile::of(Node { level: 7, index: 3 }), (Tile { level: 0, index: 1 }, 128..256));
        assert_eq!(Tile::of(Node { level: 8, index: 3 }), (Tile { level: 1, index: 0 }, 3..4));
    }
}
