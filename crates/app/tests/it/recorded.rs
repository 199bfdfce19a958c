//! Nobody changes authority without a record: every statement that writes a table of authority is in a function that
//! demands a `changes::Recorded`, and such a value cannot be made up.

use std::{
    fs,
    path::Path,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
};

use crate::tidy::rust_files;

/// Tables that say what anyone may do.
const AUTHORITY: &[&str] = &[
    "api_tokens",
    "automation_versions",
    "automations",
    "conducts",
    "connections",
    "connector_tools",
    "connectors",
    "consents",
    "grants",
    "identities",
    "memberships",
    "org_gates",
    "orgs",
    "passkeys",
    "rules",
    "secret_audiences",
    "secrets",
    "sessions",
    "signing_keys",
    "slack_people",
    "space_members",
    "spaces",
    "triggers",
];

/// Functions that write such a table and change no authority: file, function, and why.
const EXEMPT: &[(&str, &str, &str)] = &[
    ("tenancy/src/store/tokens.rs", "touch", "when a token was last used"),
    ("tenancy/src/store/passkeys.rs", "note_use", "when a passkey signed last, and its counter"),
    ("tenancy/src/store/vault.rs", "replace_sealed", "the same credential, renewed by its issuer"),
    (
        "tenancy/src/store/identities.rs",
        "insert",
        "belongs to no organization; the sign-in that follows is recorded",
    ),
    (
        "tenancy/src/store/sessions.rs",
        "insert",
        "called by `open`, which demands a record, and by `open_for_run`",
    ),
    ("tenancy/src/store/sessions.rs", "end", "a run's session ends with the run; `end_session` records"),
    ("policy/src/store/grants.rs", "consume", "a call of a grant was used; the receipt names the grant"),
    ("catalog/src/connector/store.rs", "harvested", "what a server said about itself"),
    ("catalog/src/connector/store.rs", "upsert", "what a server offers; only a review makes it usable"),
    ("catalog/src/connector/store.rs", "release", "as above"),
    ("catalog/src/connector/store.rs", "mark_gone", "a tool that the server no longer has"),
    ("automation/src/store/automations.rs", "count_run", "how many runs there were"),
    ("automation/src/store/triggers.rs", "advance", "when a schedule is due next"),
    ("automation/src/store/triggers.rs", "note_fired", "when a trigger fired last"),
    (
        "ledger/src/store/keys.rs",
        "insert_key",
        "belongs to no organization; the log has entries of its own for keys",
    ),
    ("ledger/src/store/keys.rs", "end_other_keys", "as above"),
    (
        "ledger/src/store/keys.rs",
        "rewrap_key",
        "the same key, encrypted again; each organization records that",
    ),
];

/// A statement that writes a table of authority, and the function it is in.
#[derive(Debug, PartialEq, Eq)]
struct Write<'s> {
    table: &'s str,
    function: &'s str,
    is_recorded: bool,
}

/// All statements in a source file that write a table of authority.
fn writes(source: &str) -> Vec<Write<'_>> {
    let mut found = Vec::new();
    for verb in ["INSERT INTO ", "UPDATE ", "DELETE FROM "] {
        for (at, _) in source.match_indices(verb) {
            let rest = &source[at + verb.len()..];
            let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(rest.len());
            let table = &rest[..end];
            // `FOR UPDATE` and `DO UPDATE SET` are followed by no table.
            if !AUTHORITY.contains(&table) {
                continue;
            }
            let before = &source[..at];
            let start = before.rfind("fn ").map_or(0, |start| start + 3);
            let header = &source[start..at];
            let header = &header[..header.find('{').unwrap_or(header.len())];
            let function = header.split(['(', '<']).next().unwrap_or_default();
            found.push(Write { table, function, is_recorded: header.contains("&mut Recorded<'_>") });
        }
    }
    found
}

#[test]
fn every_write_of_authority_demands_a_record() {
    let crates = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut files = Vec::new();
    for member in fs::read_dir(crates).unwrap() {
        let member = member.unwrap().path();
        // They play the outside, and may do what no part of the product may.
        if !["testkit", "trials"].iter().any(|outside| member.ends_with(outside)) {
            rust_files(&member.join("src"), &mut files);
        }
    }
    let (mut wrong, mut exempted, mut recorded) = (Vec::new(), Vec::new(), 0);
    for file in &files {
        let name = file.strip_prefix(crates).unwrap().to_string_lossy().replace('\\', "/");
        // A statement may be written over several lines.
        let source = fs::read_to_string(file).unwrap();
        let source = source.split_whitespace().collect::<Vec<_>>().join(" ");
        for Write { table, function, is_recorded } in writes(&source) {
            match EXEMPT.iter().find(|(file, exempt, _)| *file == name && *exempt == function) {
                _ if is_recorded => recorded += 1,
                Some(exempt) => exempted.push(exempt),
                None => wrong.push(format!("{name}: `{function}` writes `{table}` without a record")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(recorded > 30, "only {recorded} recorded writes were found");
    let unused: Vec<_> = EXEMPT.iter().filter(|exempt| !exempted.contains(exempt)).collect();
    assert!(unused.is_empty(), "no longer needed: {unused:?}");
}

#[test]
fn a_write_without_a_record_is_found() {
    let raw = "async fn loosen(conn: &mut PgConnection) { sqlx::query(\"UPDATE rules SET mode = 'allow'\") }";
    let asking = "async fn put(recorded: &mut Recorded<'_>) { sqlx::query(\"INSERT INTO grants (id)\") }";
    let (loosen, put) = (&writes(raw)[0], &writes(asking)[0]);
    assert_eq!((loosen.table, loosen.function, loosen.is_recorded), ("rules", "loosen", false));
    assert_eq!((put.table, put.function, put.is_recorded), ("grants", "put", true));
    assert!(writes("fn lock() { \"SELECT 1 FROM rules FOR UPDATE\" }").is_empty());
    assert!(writes("fn other() { \"UPDATE runs SET rules = 1\" }").is_empty());
}

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The newest compiled library of this name beside this test.
fn library(name: &str) -> std::path::PathBuf {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let prefix = format!("lib{name}-");
    let built = fs::read_dir(&deps).unwrap().map(|entry| entry.unwrap().path()).filter(|path| {
        let file = path.file_name().unwrap().to_string_lossy();
        file.starts_with(&prefix) && file.ends_with(".rlib")
    });
    built.max_by_key(|path| fs::metadata(path).unwrap().modified().unwrap()).expect("a built library")
}

/// Compiles a function body against the crate `changes`; returns what the compiler says.
fn compile(body: &str) -> Result<(), String> {
    let nth = COUNT.fetch_add(1, Ordering::Relaxed);
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("recorded-{}-{nth}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let source = format!(
        "use changes::Recorded;
        pub fn set_rule(_: &mut Recorded<'_>) {{}}
        pub fn change(conn: &mut Conn, recorded: &mut Recorded<'_>) {{ let _ = (&conn, &recorded); {body} }}
        pub type Conn = <Recorded<'static> as std::ops::Deref>::Target;"
    );
    fs::write(dir.join("lib.rs"), source).unwrap();
    let library = library("changes");
    let done = Command::new("rustc")
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "--out-dir"])
        .arg(&dir)
        .arg("-L")
        .arg(format!("dependency={}", library.parent().unwrap().display()))
        .arg("--extern")
        .arg(format!("changes={}", library.display()))
        .arg(dir.join("lib.rs"))
        .output()
        .unwrap();
    fs::remove_dir_all(&dir).unwrap();
    if done.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&done.stderr).into_owned()) }
}

#[test]
fn a_store_function_cannot_be_called_without_a_record_and_none_can_be_made_up() {
    assert_eq!(compile("set_rule(recorded);"), Ok(()), "with a record it compiles");
    let bare = compile("set_rule(conn);").unwrap_err();
    assert!(bare.contains("E0308"), "{bare}");
    let made_up = compile("set_rule(&mut Recorded { conn });").unwrap_err();
    assert!(made_up.contains("E0451"), "{made_up}");
}
