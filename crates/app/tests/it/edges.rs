//! The allowed dependencies between crates.
//!
//! The rules are the tables below; the facts come from `cargo metadata`. A new dependency is a decision about the
//! architecture: it changes the table here and docs/ARCHITECTURE.md in the same commit.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use serde::Deserialize;

use crate::tidy::rust_files;

/// The prefix of the names of our packages.
const PREFIX: &str = "countersign-";
const MANIFEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");

/// The allowed dependencies. `app`, `testkit` and `trials` are not listed: see [`may_know`].
const EDGES: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("receipt", &[]),
    // Used by `app` and `testkit`, and built separately by scripts/services.
    ("local-servers", &[]),
    ("platform", &["model"]),
    ("sandbox", &[]),
    ("api", &["model"]),
    // Tenancy, policy, events, ledger and catalog are siblings that do not depend on each other.
    ("events", &["model", "platform"]),
    // Every crate that owns a table of authority writes it through a recorded change.
    ("changes", &["events", "model", "platform", "receipt"]),
    ("tenancy", &["changes", "model", "platform"]),
    ("policy", &["changes", "model", "platform"]),
    ("ledger", &["changes", "model", "platform", "receipt"]),
    ("catalog", &["changes", "model", "platform", "sandbox"]),
    // The one crate that combines them.
    (
        "pipeline",
        &["catalog", "changes", "events", "ledger", "model", "platform", "policy", "receipt", "tenancy"],
    ),
    // What people view and configure. It may use only the parts of `pipeline` that have no effects: see `FENCED_NAMES`.
    (
        "oversight",
        &["catalog", "changes", "events", "model", "pipeline", "platform", "policy", "receipt", "tenancy"],
    ),
    // Notifications to people, and their clicks, which are answers.
    ("notify", &["changes", "events", "model", "pipeline", "platform", "policy", "receipt", "tenancy"]),
    (
        "automation",
        &["catalog", "changes", "events", "model", "oversight", "pipeline", "platform", "tenancy"],
    ),
    (
        "gateway",
        &[
            "api",
            "automation",
            "catalog",
            "changes",
            "events",
            "ledger",
            "model",
            "notify",
            "oversight",
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

/// Libraries that only some crates may use, and these crates. Tests are exempt.
const FENCES: &[(&str, &[&str])] = &[
    (
        "sqlx",
        &[
            "automation",
            "catalog",
            "changes",
            "events",
            "ledger",
            "notify",
            "pipeline",
            "platform",
            "policy",
            "tenancy",
            "testkit",
            "trials",
        ],
    ),
    ("redis", &["events", "platform", "testkit", "trials"]),
    ("axum", &["gateway", "testkit"]),
    ("hyper", &["gateway", "testkit"]),
    ("utoipa-axum", &["gateway"]),
    ("clap", &["app", "cli", "testkit"]),
    ("aes-gcm", &["platform"]),
    ("getrandom", &["platform"]),
    ("ed25519-dalek", &["ledger", "receipt", "testkit"]),
    ("p256", &["receipt", "testkit"]),
    ("jsonwebtoken", &["tenancy"]),
    ("oauth2", &["tenancy"]),
    ("rust-embed", &["gateway"]),
    ("pulldown-cmark", &["gateway"]),
    ("restate-sdk", &["app", "automation", "oversight", "pipeline", "trials"]),
    ("rmcp", &["catalog", "gateway", "testkit"]),
    ("cedar-policy", &["policy"]),
    ("miette", &["policy"]),
    ("ratatui", &["cli"]),
    ("similar", &["cli"]),
    ("croner", &["automation"]),
    ("minijinja", &["catalog"]),
    ("lettre", &["notify"]),
    ("object_store", &["platform"]),
];

/// Crates that depend on `pipeline` but must not be able to cause an effect, and the names of `pipeline` that they may
/// use. Its other names, and `policy::Permit`, are forbidden there. A rule about crates cannot express this.
const FENCED_NAMES: &[(&str, &[&str])] = &[
    ("oversight", &["Engine", "read"]),
    ("notify", &["Answer", "Approvals", "Error", "Extent", "GivenAnswer", "Invocation", "Voter", "read"]),
];

/// Libraries that must not be in the dependency tree at any depth. deny.toml has the reasons; this test also works
/// where cargo-deny is not installed.
const BANNED: &[&str] = &["native-tls", "openssl", "openssl-sys", "ring", "rsa"];

/// Names that do not say what a crate contains.
const NAMELESS: &[&str] = &["core", "common", "utils", "helpers", "types", "misc", "manager", "service"];

/// The parts of the output of `cargo metadata` that are used. The crate for it would enable another feature of
/// `serde_json` in tests, and then everything would be compiled twice.
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

/// The table of Cargo.toml that lists a dependency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Normal,
    Dev,
    Build,
}

/// One dependency.
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
        let ruled =
            matches!(member, "app" | "testkit" | "trials") || EDGES.iter().any(|(name, _)| *name == member);
        assert!(ruled, "the crate `{member}` has no line in EDGES: add its dependencies");
        assert!(!NAMELESS.contains(&member), "`{member}` does not say what the crate is for");
    }
}

#[test]
fn rules_have_no_cycle() {
    // A crate is removed from the list once all crates that it depends on are removed. What remains in the end is a
    // cycle.
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
        "app",
        "catalog",
        "cli",
        "gateway",
        "model",
        "notify",
        "oversight",
        "pipeline",
        "policy",
        "tenancy",
        "testkit",
        "trials",
    ]);
    let refused = |from, to, kind| refusal(&Edge { from, to, kind }, &members).is_some();
    let normal = Kind::Normal;

    assert!(refused("catalog", "tenancy", normal), "a source could reach credentials");
    assert!(refused("policy", "catalog", normal), "siblings would depend on each other");
    assert!(refused("model", "pipeline", normal));
    assert!(refused("cli", "gateway", normal), "the client would link the server");
    assert!(refused("app", "testkit", normal), "fakes would be in the product");
    assert!(refused("pipeline", "testkit", Kind::Build));
    assert!(refused("gateway", "trials", Kind::Dev), "no crate may depend on trials");
    assert!(refused("catalog", "tenancy", Kind::Dev), "the rule applies to tests too");
    assert!(refused("gateway", "sqlx", normal), "the gateway contains no SQL");
    assert!(refused("unheard-of", "model", normal), "a crate without a rule");
    assert!(refused("pipeline", "oversight", normal), "the pipeline would depend on oversight");
    assert!(refused("pipeline", "notify", normal), "the pipeline would depend on notifications");
    assert!(refused("oversight", "sqlx", normal), "SQL belongs to the crate of its table");
    assert!(refused("pipeline", "lettre", normal));

    assert!(!refused("pipeline", "catalog", normal));
    assert!(!refused("catalog", "testkit", Kind::Dev));
    assert!(!refused("testkit", "gateway", normal));
    assert!(!refused("trials", "testkit", normal));
    assert!(!refused("gateway", "sqlx", Kind::Dev));
    assert!(!refused("catalog", "serde", normal));
}

#[test]
fn who_only_looks_cannot_name_an_effect() {
    let crates = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    for (name, allowed) in FENCED_NAMES {
        let mut files = Vec::new();
        rust_files(&crates.join(name).join("src"), &mut files);
        assert!(files.len() > 3, "the sources of `{name}` were not found");
        for file in files {
            let text = fs::read_to_string(&file).expect("a readable file");
            let wrong = forbidden_names(&text, allowed);
            assert!(wrong.is_empty(), "{}: must not name {}", file.display(), wrong.join(", "));
        }
    }
}

#[test]
fn names_of_effects_are_found() {
    let found = |text: &str| forbidden_names(text, &["Engine", "read"]);
    assert_eq!(found("use pipeline::Pipeline;"), ["pipeline::Pipeline"]);
    assert_eq!(found("use pipeline::{\n    Engine,\n    Pipeline,\n};"), ["pipeline::Pipeline"]);
    assert_eq!(found("use pipeline::{read::{Reader, find}, Approvals};"), ["pipeline::Approvals"]);
    assert_eq!(found("fn f(p: &::pipeline::Pipeline) {}"), ["pipeline::Pipeline"]);
    assert_eq!(found("use pipeline::*;"), ["pipeline::*"]);
    assert_eq!(found("use pipeline as path;"), ["pipeline"]);
    assert_eq!(found("use pipeline;"), ["pipeline"]);
    assert_eq!(found("use {pipeline, policy};"), ["pipeline"]);
    assert_eq!(found("use policy::{Grants, Permit};"), ["Permit"]);
    assert_eq!(found("let permit = policy::Permit::of(&decision, digest);"), ["Permit"]);

    assert!(found("use pipeline::{Engine, read::{self, Reader}};").is_empty());
    assert!(found("let found = pipeline::read::find(tx).await;").is_empty());
    assert!(found("/// The answers of `pipeline`, with a Permit.").is_empty());
    assert!(found("let pipeline_id = 1; // pipeline::Pipeline").is_empty());
}

#[test]
fn banned_libraries_are_not_in_the_tree() {
    // Cargo.lock and `cargo metadata` also name packages that no feature enables; the tree names what is compiled. All
    // of it was downloaded to build this test, so no network is needed.
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
    assert!(tree.contains("rustls"), "the tree could not be parsed: {tree:?}");
    let found: Vec<_> = BANNED.iter().filter(|name| tree.contains(*name)).collect();
    assert!(found.is_empty(), "banned, see deny.toml: {found:?}");
}

/// The names in a source file that a crate of `FENCED_NAMES` may not use.
fn forbidden_names(text: &str, allowed: &[&str]) -> Vec<String> {
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    for (at, _) in code.match_indices("pipeline") {
        let (before, after) = (&code[..at], &code[at + "pipeline".len()..]);
        if before.ends_with(is_word) || after.starts_with(is_word) {
            continue;
        }
        let Some(path) = after.strip_prefix("::") else {
            found.push("pipeline".to_owned());
            continue;
        };
        let names = first_names(path).into_iter();
        found.extend(
            names.filter(|name| !allowed.contains(&name.as_str())).map(|name| format!("pipeline::{name}")),
        );
    }
    let words = code.split(|c| !is_word(c));
    found.extend(words.filter(|word| *word == "Permit").map(ToOwned::to_owned).take(1));
    found
}

/// The names directly below a crate, in a path or in the braces of a `use`.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| {
        text.trim_start().split(|c| !is_word(c) && c != '*').next().unwrap_or_default().to_owned()
    };
    let Some(inside) = path.strip_prefix('{') else { return vec![name(path)] };
    let (mut depth, mut names, mut begin) = (0_i32, Vec::new(), 0);
    for (at, c) in inside.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth < 0 || (depth == 0 && c == ',') {
            names.push(name(&inside[begin..at]));
            begin = at + 1;
        }
        if depth < 0 {
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Why a dependency is not allowed, or `None` if it is.
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
        (_, "trials") => false,
        ("testkit" | "trials", _) => true,
        (_, "testkit") => kind == Kind::Dev,
        ("app", _) => true,
        _ => EDGES.iter().any(|(name, knows)| *name == from && knows.contains(&to)),
    }
}

fn metadata() -> Metadata {
    // Without dependencies nothing is resolved, so neither the network nor a registry is needed.
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--manifest-path", MANIFEST])
        .output()
        .expect("cargo metadata");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Metadata = serde_json::from_slice(&output.stdout).expect("the output of cargo");
    for package in &mut metadata.packages {
        package.name = short(&package.name);
        for dependency in &mut package.dependencies {
            dependency.name = short(&dependency.name);
        }
    }
    metadata
}

/// The name of a crate in the code: without the prefix of our packages.
fn short(package: &str) -> String {
    package.strip_prefix(PREFIX).unwrap_or(package).to_owned()
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
