//! Which crate may know which.
//!
//! The rules are the tables below; the facts come from `cargo metadata`. A new edge is a decision about the
//! architecture: whoever needs one changes the table here and docs/ARCHITECTURE.md in the same commit.

use std::{collections::BTreeSet, process::Command};

use serde::Deserialize;

const MANIFEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");

/// Who may depend on whom. `app` and `testkit` are not listed: see [`may_know`].
const EDGES: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("receipt", &[]),
    ("platform", &["model"]),
    ("api", &["model"]),
    // What can be done, may it be done, prove it, tell it, for whom: siblings that never see each other.
    ("tenancy", &["model", "platform"]),
    ("policy", &["model", "platform"]),
    ("events", &["model", "platform"]),
    ("ledger", &["model", "platform", "receipt"]),
    ("catalog", &["model", "platform"]),
    // The one place where they meet.
    ("pipeline", &["catalog", "events", "ledger", "model", "platform", "policy", "receipt", "tenancy"]),
    ("automation", &["catalog", "events", "model", "pipeline", "platform", "tenancy"]),
    (
        "gateway",
        &[
            "api",
            "automation",
            "catalog",
            "events",
            "ledger",
            "model",
            "pipeline",
            "platform",
            "policy",
            "receipt",
            "tenancy",
        ],
    ),
    // The client must not link the server.
    ("cli", &["api", "model", "receipt"]),
];

/// Libraries that stay behind a fence, and who is inside it. Tests are free.
const FENCES: &[(&str, &[&str])] = &[
    (
        "sqlx",
        &[
            "automation",
            "catalog",
            "events",
            "ledger",
            "pipeline",
            "platform",
            "policy",
            "tenancy",
            "testkit",
        ],
    ),
    ("redis", &["events", "pipeline", "platform", "testkit"]),
    ("axum", &["gateway", "testkit"]),
    ("hyper", &["gateway", "testkit"]),
    ("utoipa-axum", &["gateway"]),
    ("clap", &["app", "cli"]),
    ("aes-gcm", &["platform"]),
    ("getrandom", &["platform"]),
    ("ed25519-dalek", &["ledger", "receipt", "testkit"]),
    ("p256", &["receipt", "testkit"]),
    ("jsonwebtoken", &["tenancy"]),
    ("oauth2", &["tenancy"]),
    ("rust-embed", &["gateway"]),
    ("restate-sdk", &["app", "automation", "pipeline", "testkit"]),
    ("rmcp", &["catalog", "gateway", "testkit"]),
    ("ratatui", &["cli"]),
    ("croner", &["automation"]),
    ("minijinja", &["catalog"]),
    ("lettre", &["pipeline"]),
    ("object_store", &["platform"]),
];

/// What may not be in the tree at all, however deep. deny.toml says why; this holds where cargo-deny is not
/// installed.
const BANNED: &[&str] = &["native-tls", "openssl", "openssl-sys", "ring", "rsa"];

/// Names that say nothing about what is inside.
const NAMELESS: &[&str] = &["core", "common", "utils", "helpers", "types", "misc", "manager", "service"];

/// What `cargo metadata` tells, as far as it is asked. The crate for it would give `serde_json` another feature in tests,
/// and then everything would be compiled twice.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<Kind>,
}

/// In which table a dependency stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Normal,
    Dev,
    Build,
}

/// One line of a `[dependencies]` table.
struct Edge<'a> {
    from: &'a str,
    to: &'a str,
    kind: Kind,
}

#[test]
fn crates_know_only_whom_they_may() {
    let metadata = metadata();
    let members = members(&metadata);
    assert!(members.len() >= EDGES.len(), "the workspace was not read: {members:?}");
    let wrong: Vec<String> = edges(&metadata).iter().filter_map(|edge| refusal(edge, &members)).collect();
    assert!(
        wrong.is_empty(),
        "edges that crates/app/tests/it/edges.rs does not allow:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_crate_has_a_rule_and_a_telling_name() {
    for member in members(&metadata()) {
        let ruled = matches!(member, "app" | "testkit") || EDGES.iter().any(|(name, _)| *name == member);
        assert!(ruled, "the crate `{member}` has no line in EDGES: whom may it know?");
        assert!(!NAMELESS.contains(&member), "`{member}` does not say what the crate is for");
    }
}

#[test]
fn rules_have_no_cycle() {
    // Each crate may only know crates that stand in a line of their own, and a line is removed once nothing it
    // names is left: what remains in the end is a cycle.
    let mut left: Vec<_> = EDGES.to_vec();
    loop {
        let names: BTreeSet<&str> = left.iter().map(|(name, _)| *name).collect();
        let before = left.len();
        left.retain(|(_, knows)| knows.iter().any(|name| names.contains(name)));
        if left.len() == before {
            break;
        }
    }
    assert!(left.is_empty(), "cycle among {left:?}");
}

#[test]
fn forbidden_edges_are_refused() {
    let members = BTreeSet::from([
        "app", "catalog", "cli", "gateway", "model", "pipeline", "policy", "tenancy", "testkit",
    ]);
    let refused = |from, to, kind| refusal(&Edge { from, to, kind }, &members).is_some();
    let normal = Kind::Normal;

    assert!(refused("catalog", "tenancy", normal), "a source could reach credentials");
    assert!(refused("policy", "catalog", normal), "siblings see each other");
    assert!(refused("model", "pipeline", normal));
    assert!(refused("cli", "gateway", normal), "the client would link the server");
    assert!(refused("app", "testkit", normal), "fakes would be in the product");
    assert!(refused("pipeline", "testkit", Kind::Build));
    assert!(refused("catalog", "tenancy", Kind::Dev), "a test is no way around");
    assert!(refused("gateway", "sqlx", normal), "the doors hold no SQL");
    assert!(refused("unheard-of", "model", normal), "a crate without a rule");

    assert!(!refused("pipeline", "catalog", normal));
    assert!(!refused("catalog", "testkit", Kind::Dev));
    assert!(!refused("testkit", "gateway", normal));
    assert!(!refused("gateway", "sqlx", Kind::Dev));
    assert!(!refused("catalog", "serde", normal));
}

#[test]
fn banned_libraries_are_not_in_the_tree() {
    // Cargo.lock and `cargo metadata` also name what no feature turns on; the tree names what is compiled. All of
    // it was downloaded to build this test, so no network is needed.
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--workspace",
            "--locked",
            "--offline",
            "--prefix",
            "none",
            "--manifest-path",
            MANIFEST,
        ])
        .output()
        .expect("cargo tree");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let lines = String::from_utf8(output.stdout).expect("text");
    let tree: BTreeSet<&str> = lines.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(tree.contains("rustls"), "the tree was not understood: {tree:?}");
    let found: Vec<_> = BANNED.iter().filter(|name| tree.contains(*name)).collect();
    assert!(found.is_empty(), "banned, see deny.toml: {found:?}");
}

/// Why an edge may not be, or `None` when it may.
fn refusal(edge: &Edge<'_>, members: &BTreeSet<&str>) -> Option<String> {
    let Edge { from, to, kind } = edge;
    if members.contains(to) {
        return (!may_know(from, to, *kind)).then(|| format!("`{from}` must not know `{to}` ({kind:?})"));
    }
    if *kind == Kind::Dev {
        return None;
    }
    let (_, inside) = FENCES.iter().find(|(library, _)| library == to)?;
    (!inside.contains(from)).then(|| format!("`{from}` must not use `{to}`: only {} may", inside.join(", ")))
}

fn may_know(from: &str, to: &str, kind: Kind) -> bool {
    match (from, to) {
        ("testkit", _) => true,
        (_, "testkit") => kind == Kind::Dev,
        ("app", _) => true,
        _ => EDGES.iter().any(|(name, knows)| *name == from && knows.contains(&to)),
    }
}

fn metadata() -> Metadata {
    // Without dependencies nothing is resolved, so neither network nor registry is needed.
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--manifest-path", MANIFEST])
        .output()
        .expect("cargo metadata");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("what cargo tells")
}

fn members(metadata: &Metadata) -> BTreeSet<&str> {
    metadata.packages.iter().map(|package| package.name.as_str()).collect()
}

fn edges(metadata: &Metadata) -> Vec<Edge<'_>> {
    metadata
        .packages
        .iter()
        .flat_map(|package| {
            let from = package.name.as_str();
            package.dependencies.iter().map(move |to| Edge {
                from,
                to: &to.name,
                kind: to.kind.unwrap_or(Kind::Normal),
            })
        })
        .collect()
}
