//! The Merkle tree of RFC 6962: the root over all entries, and proofs of what it contains.
//!
//! A node that covers exactly `2^level` leaves is identified by its level and its index on that level. The right edge
//! of a growing tree is computed from such nodes.

use std::ops::Range;

use sha2::{Digest as _, Sha256};

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// The largest accepted proof: more hashes than the proof of any realistic tree has.
pub const MAX_PROOF: usize = 64;

/// The leaf hash of an entry's bytes.
pub fn leaf(entry: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(entry).finalize().into()
}

/// The parent of two nodes. The byte in front distinguishes nodes from leaves.
pub fn node(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// The root of the tree without leaves.
pub fn empty_root() -> Hash {
    Sha256::digest([]).into()
}

/// A node that covers `2^level` leaves, the `index`th of its level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    pub level: u32,
    pub index: u64,
}

/// The fewest nodes that cover a range exactly, from left to right. The range must begin at a multiple of its size
/// rounded up to a power of two, as every range in a proof does.
pub fn cover(range: Range<u64>) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let fits = (range.end - start).ilog2();
        let level = if start == 0 { fits } else { fits.min(start.trailing_zeros()) };
        nodes.push(Node { level, index: start >> level });
        start += 1 << level;
    }
    nodes
}

/// The root over adjacent nodes, as returned by [`cover`].
pub fn root_of(cover: &[Hash]) -> Hash {
    let mut from_right = cover.iter().rev();
    let Some(last) = from_right.next() else { return empty_root() };
    from_right.fold(*last, |right, left| node(left, &right))
}

/// The root of a full subtree, from its `2^k` leaves or from inner nodes of one level.
pub fn fold_level(hashes: &[Hash]) -> Hash {
    let mut level = hashes.to_vec();
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| match pair {
                [left, right] => node(left, right),
                _ => pair.first().copied().unwrap_or_default(),
            })
            .collect();
    }
    level.first().copied().unwrap_or_else(empty_root)
}

/// The largest power of two below a number of leaves, which must be at least two.
fn split(size: u64) -> u64 {
    1 << (size - 1).ilog2()
}

/// The subtrees whose roots prove that a leaf is in a tree, deepest first: PATH of RFC 6962, section 2.1.1.
pub fn inclusion(index: u64, size: u64) -> Option<Vec<Range<u64>>> {
    if index >= size {
        return None;
    }
    let mut path = Vec::new();
    let (mut start, mut end) = (0, size);
    while end - start > 1 {
        let middle = start + split(end - start);
        if index < middle {
            path.push(middle..end);
            end = middle;
        } else {
            path.push(start..middle);
            start = middle;
        }
    }
    path.reverse();
    Some(path)
}

/// The subtrees whose roots prove that a tree continues an earlier one: PROOF of RFC 6962, section 2.1.2.
pub fn consistency(first: u64, second: u64) -> Option<Vec<Range<u64>>> {
    if first > second {
        return None;
    }
    if first == 0 || first == second {
        return Some(vec![]);
    }
    let mut path = Vec::new();
    let (mut start, mut end, mut whole) = (0, second, true);
    // `first` is in `start..=end` throughout.
    while first != end {
        let middle = start + split(end - start);
        if first <= middle {
            path.push(middle..end);
            end = middle;
        } else {
            path.push(start..middle);
            start = middle;
            whole = false;
        }
    }
    if !whole {
        path.push(start..end);
    }
    path.reverse();
    Some(path)
}

/// The size and root of a tree, as a checkpoint states them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tree<'a> {
    /// The number of leaves.
    pub size: u64,
    pub root: &'a Hash,
}

/// Whether a leaf is at an index of the tree with this size and root: RFC 9162, section 2.1.3.2.
pub fn is_included(leaf: &Hash, index: u64, Tree { size, root }: Tree<'_>, proof: &[Hash]) -> bool {
    if index >= size {
        return false;
    }
    let (mut place, mut last) = (index, size - 1);
    let mut hash = *leaf;
    for sibling in proof {
        if last == 0 {
            return false;
        }
        if place & 1 == 1 || place == last {
            hash = node(sibling, &hash);
            while place & 1 == 0 && place != 0 {
                place >>= 1;
                last >>= 1;
            }
        } else {
            hash = node(&hash, sibling);
        }
        place >>= 1;
        last >>= 1;
    }
    last == 0 && hash == *root
}

/// Whether one tree continues another: RFC 9162, section 2.1.4.2.
pub fn is_consistent(first: Tree<'_>, second: Tree<'_>, proof: &[Hash]) -> bool {
    if first.size == 0 || first.size == second.size {
        let same = first.size == 0 && *first.root == empty_root()
            || first.size == second.size && first.root == second.root;
        return same && proof.is_empty() && first.size <= second.size;
    }
    if first.size > second.size {
        return false;
    }
    // Where the first tree is a full subtree of the second, its root is not repeated in the proof.
    let mut path = first.size.is_power_of_two().then_some(first.root).into_iter().chain(proof);
    let Some(start) = path.next() else { return false };
    let (mut place, mut last) = (first.size - 1, second.size - 1);
    while place & 1 == 1 {
        place >>= 1;
        last >>= 1;
    }
    let (mut older, mut newer) = (*start, *start);
    for hash in path {
        if last == 0 {
            return false;
        }
        if place & 1 == 1 || place == last {
            older = node(hash, &older);
            newer = node(hash, &newer);
            while place & 1 == 0 && place != 0 {
                place >>= 1;
                last >>= 1;
            }
        } else {
            newer = node(&newer, hash);
        }
        place >>= 1;
        last >>= 1;
    }
    last == 0 && older == *first.root && newer == *second.root
}

/// A growing tree, represented only by the roots of its full subtrees.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Growing {
    size: u64,
    /// From the largest to the smallest; one per set bit of `size`.
    peaks: Vec<Hash>,
}

impl Growing {
    /// Adds a leaf.
    pub fn push(&mut self, leaf: Hash) {
        let mut hash = leaf;
        for _ in 0..self.size.trailing_ones() {
            let Some(left) = self.peaks.pop() else { break };
            hash = node(&left, &hash);
        }
        self.peaks.push(hash);
        self.size += 1;
    }

    /// The number of leaves.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The current root.
    pub fn root(&self) -> Hash {
        root_of(&self.peaks)
    }
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "the trees of these tests are small")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, word for word: RFC 6962, section 2.1.
    fn defined(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => empty_root(),
            [one] => *one,
            more => {
                let (left, right) = more.split_at(split(more.len() as u64) as usize);
                node(&defined(left), &defined(right))
            }
        }
    }

    fn tree(size: u64, root: &Hash) -> Tree<'_> {
        Tree { size, root }
    }

    fn leaves(count: u64) -> Vec<Hash> {
        (0..count).map(|n| leaf(&n.to_be_bytes())).collect()
    }

    fn roots(leaves: &[Hash], ranges: Vec<Range<u64>>) -> Vec<Hash> {
        let root = |range: Range<u64>| {
            let nodes = cover(range.clone());
            let hashes: Vec<_> = nodes
                .iter()
                .map(|node| {
                    let (from, to) = (node.index << node.level, (node.index + 1) << node.level);
                    fold_level(&leaves[from as usize..to as usize])
                })
                .collect();
            let root = root_of(&hashes);
            assert_eq!(root, defined(&leaves[range.start as usize..range.end as usize]));
            root
        };
        ranges.into_iter().map(root).collect()
    }

    #[test]
    fn the_roots_are_those_certificate_transparency_tests_with() {
        let inputs = [
            "",
            "00",
            "10",
            "2021",
            "3031",
            "40414243",
            "5051525354555657",
            "606162636465666768696a6b6c6d6e6f",
        ];
        let expected = [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        ];
        let mut tree = Growing::default();
        assert_eq!(
            hex::encode(tree.root()),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        for (input, expected) in inputs.iter().zip(expected) {
            tree.push(leaf(&hex::decode(input).unwrap()));
            assert_eq!(hex::encode(tree.root()), expected);
        }
    }

    #[test]
    fn every_leaf_of_every_small_tree_is_proven_and_nothing_else() {
        for size in 1..=70_u64 {
            let leaves = leaves(size);
            let root = defined(&leaves);
            for index in 0..size {
                let proof = roots(&leaves, inclusion(index, size).unwrap());
                let own = &leaves[index as usize];
                assert!(is_included(own, index, tree(size, &root), &proof));
                assert!(!is_included(own, (index + 1) % size, tree(size, &root), &proof) || size == 1);
                assert!(!is_included(&leaf(b"other"), index, tree(size, &root), &proof));
                let mut longer = proof.clone();
                longer.push(root);
                assert!(!is_included(own, index, tree(size, &root), &longer));
                for cut in 0..proof.len() {
                    assert!(!is_included(own, index, tree(size, &root), &proof[..cut]));
                }
            }
            assert!(inclusion(size, size).is_none());
        }
    }

    #[test]
    fn every_small_tree_is_proven_to_continue_every_smaller_one_and_no_other() {
        let all = leaves(70);
        let root = |size: u64| defined(&all[..size as usize]);
        for second in 0..=70_u64 {
            for first in 0..=second {
                let proof = roots(&all, consistency(first, second).unwrap());
                let (older, newer) = (root(first), root(second));
                assert!(is_consistent(tree(first, &older), tree(second, &newer), &proof), "{first} {second}");
                assert!(!is_consistent(tree(first, &leaf(b"fork")), tree(second, &newer), &proof));
                assert!(
                    !is_consistent(tree(first, &older), tree(second, &leaf(b"fork")), &proof) || first == 0
                );
                for place in 0..proof.len() {
                    let mut other = proof.clone();
                    other[place][0] ^= 1;
                    assert!(!is_consistent(tree(first, &older), tree(second, &newer), &other));
                }
            }
            assert!(consistency(second + 1, second).is_none());
        }
    }

    proptest! {
        #[test]
        fn a_growing_tree_has_the_defined_root(size in 0_u64..600) {
            let all = leaves(size);
            let mut tree = Growing::default();
            all.iter().for_each(|leaf| tree.push(*leaf));
            prop_assert_eq!(tree.size(), size);
            prop_assert_eq!(tree.root(), defined(&all));
        }
    }
}
