//! A small log in memory, built by the rules, to be tampered with.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use receipt::{
    Bundle, Checkpoint, ENTRY_VERSION, Entry, Envelope, Kept, KeyDocument, KeySet, KeySetDocument, Logged,
    PAYLOAD_TYPE, ProvenErasure, Receipt, Record, Seed, SigningKey, commit,
    merkle::{self, Growing, Hash},
    tile::Tile,
};

use crate::{
    attacks::tampering::passkeys,
    vectors::{sample, signing_key},
};

pub(crate) const TIME: &str = "2026-11-15T02:03:00Z";

#[derive(Clone)]
pub(crate) struct Made {
    pub(crate) entries: Vec<Entry>,
    pub(crate) records: Vec<Record>,
    pub(crate) keys: Vec<KeyDocument>,
    pub(crate) leaves: Vec<Hash>,
    /// Whether every fifth vote is signed with a passkey.
    pub(crate) with_passkeys: bool,
    /// Seeds of the keys that currently sign checkpoints.
    signers: Vec<u8>,
    /// Whether the keys sign checkpoints with ML-DSA-65 too.
    twice_signed: bool,
}

impl Made {
    /// An empty log whose first key has this seed.
    pub(crate) fn new(seed: u8) -> Self {
        Self::begin(seed, false)
    }

    /// The same, with keys that sign checkpoints twice.
    pub(crate) fn twice_signed(seed: u8) -> Self {
        Self::begin(seed, true)
    }

    fn begin(seed: u8, twice_signed: bool) -> Self {
        let mut made = Self {
            entries: vec![],
            records: vec![],
            keys: vec![],
            leaves: vec![],
            with_passkeys: false,
            signers: vec![],
            twice_signed,
        };
        made.begin_key(seed);
        made
    }

    pub(crate) fn push(&mut self, entry: Entry) -> u64 {
        self.leaves.push(entry.leaf().unwrap());
        self.entries.push(entry);
        self.leaves.len() as u64 - 1
    }

    pub(crate) fn begin_key(&mut self, seed: u8) {
        let mut key = KeyDocument::new(&signing_key(seed).public_key(), "2026-06-01T00:00:00Z");
        if self.twice_signed {
            key = key.with_ml_dsa(&signing_key(seed).ml_dsa_public_key().unwrap());
        }
        key.begun = Some(Logged { index: self.leaves.len() as u64, at: TIME.to_owned() });
        let (_, entry) = key.entries().remove(0);
        self.push(entry);
        self.keys.push(key);
        self.signers.push(seed);
    }

    pub(crate) fn end_key(&mut self, seed: u8) {
        let keyid = signing_key(seed).keyid().to_owned();
        let index =
            self.push(Entry::KeyEnd { version: version(), keyid: keyid.clone(), at: TIME.to_owned() });
        let key = self.keys.iter_mut().find(|key| key.keyid == keyid).unwrap();
        key.ended = Some(Logged { index, at: TIME.to_owned() });
        key.not_after = Some(TIME.to_owned());
        self.signers.retain(|signer| *signer != seed);
    }

    pub(crate) fn next_number(&self, org: &str) -> u64 {
        let of_org = |entry: &&Entry| entry.place().is_some_and(|(other, _)| other == org);
        self.entries.iter().filter(of_org).count() as u64 + 1
    }

    /// Adds a receipt of an org, signed by a key.
    pub(crate) fn receipt(&mut self, org: &str, nth: u64, key: u8) -> usize {
        let mut receipt = Receipt {
            id: format!("rcp_{nth:032x}"),
            org: org.to_owned(),
            inputs: serde_json::json!({"title": format!("issue {nth}"), "share": 0.25, "big": 9_007_199_254_740_991_u64}),
            ..sample()
        };
        if self.with_passkeys && nth % 5 == 3 {
            receipt.approvals[0].assertion = Some(passkeys::assertion(21, &passkeys::vote(&receipt)));
        }
        let number = self.next_number(org);
        self.sign(&receipt, number, &signing_key(key))
    }

    /// Adds any receipt under any number.
    pub(crate) fn sign(&mut self, receipt: &Receipt, number: u64, key: &SigningKey) -> usize {
        let seed = Seed(merkle::leaf(receipt.id.as_bytes()));
        let (payload, commitment) = commit(receipt, &seed).unwrap();
        let entry = Entry::Receipt {
            version: version(),
            org: receipt.org.clone(),
            number,
            id: receipt.id.clone(),
            keyid: key.keyid().to_owned(),
            commitment: hex::encode(commitment),
            at: TIME.to_owned(),
        };
        let index = self.push(entry.clone());
        let envelope: Envelope = key.sign_payload(PAYLOAD_TYPE, &payload);
        self.records.push(Record {
            index,
            entry,
            envelope: Some(envelope),
            seed: Some(seed.encode()),
            kept: None,
        });
        self.records.len() - 1
    }

    /// Erases the body of a record, as retention does.
    pub(crate) fn erase(&mut self, place: usize) -> u64 {
        let record = &mut self.records[place];
        let envelope = record.envelope.take().unwrap();
        let seed = Seed::parse(&record.seed.take().unwrap()).unwrap();
        record.kept = Kept::of(&STANDARD.decode(&envelope.payload).unwrap(), &seed);
        let Entry::Receipt { org, id, .. } = record.entry.clone() else { unreachable!() };
        let number = self.next_number(&org);
        self.push(Entry::Erasure { version: version(), org, number, id, at: TIME.to_owned() })
    }

    pub(crate) fn checkpoint(&self) -> String {
        self.checkpoint_at(self.leaves.len())
    }

    pub(crate) fn checkpoint_at(&self, size: usize) -> String {
        let keys: Vec<_> = self.signers.iter().map(|seed| signing_key(*seed)).collect();
        let checkpoint = self.unsigned(size);
        let second = if self.twice_signed { checkpoint.ml_dsa_lines(&keys).unwrap() } else { String::new() };
        checkpoint.sign(&keys) + &second
    }

    pub(crate) fn unsigned(&self, size: usize) -> Checkpoint {
        let mut tree = Growing::default();
        self.leaves[..size].iter().for_each(|leaf| tree.push(*leaf));
        let origin = format!("countersign/{}", self.keys[0].keyid);
        Checkpoint { origin, size: size as u64, root: tree.root(), time: TIME.to_owned() }
    }

    fn proof(&self, index: u64) -> Vec<String> {
        let ranges = merkle::inclusion(index, self.leaves.len() as u64).unwrap();
        let root = |range: std::ops::Range<u64>| {
            let nodes = merkle::cover(range);
            let hashes: Vec<_> = nodes.iter().map(|node| self.node(node.level, node.index)).collect();
            STANDARD.encode(merkle::root_of(&hashes))
        };
        ranges.into_iter().map(root).collect()
    }

    fn node(&self, level: u32, index: u64) -> Hash {
        let place = |index: u64| usize::try_from(index << level).unwrap();
        merkle::fold_level(&self.leaves[place(index)..place(index + 1)])
    }

    pub(crate) fn bundle(&self, place: usize) -> Bundle {
        self.bundle_of(&self.records[place])
    }

    pub(crate) fn bundle_of(&self, record: &Record) -> Bundle {
        let Entry::Receipt { id: own, .. } = &record.entry else { unreachable!() };
        let is_erasure = |entry: &&Entry| matches!(entry, Entry::Erasure { id, .. } if id == own);
        let erasure = self.entries.iter().find(is_erasure).map(|entry| {
            let index = self.entries.iter().position(|other| other == entry).unwrap() as u64;
            ProvenErasure { index, entry: entry.clone(), proof: self.proof(index) }
        });
        let proof = self.proof(record.index);
        Bundle { record: record.clone(), proof, erasure, checkpoint: self.checkpoint() }
    }

    pub(crate) fn key_set(&self) -> KeySet {
        KeySet::new(&self.keys).unwrap()
    }

    pub(crate) fn key_document(&self) -> String {
        serde_json::to_string_pretty(&KeySetDocument::new(self.keys.clone())).unwrap() + "\n"
    }

    /// The log as files, as a gateway serves it: checkpoint, keys, tiles, and every entry with its record.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let size = self.leaves.len() as u64;
        let mut files = vec![
            ("checkpoint".to_owned(), self.checkpoint().into_bytes()),
            ("keys.json".to_owned(), self.key_document().into_bytes()),
        ];
        for tile in Tile::all(size) {
            let width = tile.width(size);
            let first = tile.index * 256;
            let hashes: Vec<_> =
                (first..first + width).map(|index| self.node(tile.level * 8, index)).collect();
            files.push((tile.path(width), hashes.concat()));
        }
        let records =
            self.records.iter().map(|record| (record.index, serde_json::to_string(record).unwrap()));
        let erasures =
            self.entries.iter().enumerate().filter(|(_, entry)| matches!(entry, Entry::Erasure { .. }));
        let erasures = erasures.map(|(index, entry)| {
            let index = index as u64;
            let record = Record { index, entry: entry.clone(), envelope: None, seed: None, kept: None };
            (index, serde_json::to_string(&record).unwrap())
        });
        let mut lines: Vec<_> = records.chain(erasures).collect();
        lines.sort_unstable();
        let lines: String = lines.into_iter().map(|(_, line)| line + "\n").collect();
        files.push(("entries.ndjson".to_owned(), lines.into_bytes()));
        files
    }
}

pub(crate) fn version() -> String {
    ENTRY_VERSION.to_owned()
}
