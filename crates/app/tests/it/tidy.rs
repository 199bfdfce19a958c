//! The form of the source files: each has a header that says what it is for, none is too long, and SQL is in the
//! stores.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Without tests. Longer files are hard to read as a whole, and mistakes in them are overlooked.
const MAX_LINES: usize = 600;

/// A folder with more source files is too long to take in.
const MAX_FILES: usize = 20;

/// SQL that only a store may contain. Each name is written in two halves, so that this file does not match itself.
const SQL: &[&str] = &[
    concat!("query", "!("),
    concat!("query_as", "!("),
    concat!("query_scalar", "!("),
    concat!("sqlx::", "query"),
    concat!("sqlx::", "raw_sql"),
    concat!("sqlx::", "QueryBuilder"),
];

#[test]
fn files_are_tidy() {
    let crates = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut files = Vec::new();
    for member in fs::read_dir(crates).expect("crates/") {
        rust_files(&member.expect("an entry of crates/").path().join("src"), &mut files);
    }
    assert!(files.len() > 10, "the sources were not found below {}", crates.display());

    let wrong: Vec<String> = files
        .iter()
        .flat_map(|file| {
            let name = file.strip_prefix(crates).expect("below crates/").to_string_lossy().replace('\\', "/");
            complaints(&name, &fs::read_to_string(file).expect("a readable file"))
        })
        .collect();
    assert!(wrong.is_empty(), "untidy files:\n{}", wrong.join("\n"));
}

#[test]
fn folders_are_not_crowded() {
    let crates = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut files = Vec::new();
    for member in fs::read_dir(crates).expect("crates/") {
        let member = member.expect("an entry of crates/").path();
        rust_files(&member.join("src"), &mut files);
        rust_files(&member.join("tests"), &mut files);
    }
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for file in &files {
        let folder = file.parent().expect("a folder").strip_prefix(crates).expect("below crates/");
        *folders.entry(folder.to_string_lossy().replace('\\', "/")).or_default() += 1;
    }
    let wrong = crowded(&folders);
    assert!(wrong.is_empty(), "crowded folders:\n{}", wrong.join("\n"));
}

#[test]
fn crowded_folders_are_found() {
    let folders = |name: &str, files| BTreeMap::from([(name.to_owned(), files)]);
    assert!(crowded(&folders("new", MAX_FILES)).is_empty());
    assert_eq!(crowded(&folders("new", MAX_FILES + 1)).len(), 1);
}

#[test]
fn untidy_files_are_found() {
    let long = format!("//! A file.\n{}", "fn f() {}\n".repeat(MAX_LINES));
    let long_tests =
        format!("//! A file.\n#[cfg(test)]\nmod tests {{\n{}}}\n", "fn f() {}\n".repeat(MAX_LINES));
    let sql = format!("//! A file.\nfn f() {{ {}\"SELECT 1\") }}\n", SQL[0]);
    let sql_in_tests = format!("//! A file.\n#[cfg(test)]\nmod tests {{\n{sql}}}\n");
    let sql_after_tests = format!("//! A file.\n#[cfg(test)]\nmod tests;\n{sql}");

    assert_eq!(complaints("policy/src/decide.rs", "use std::fmt;\n").len(), 1, "no header comment");
    assert_eq!(complaints("policy/src/decide.rs", &long).len(), 1);
    assert_eq!(complaints("gateway/src/routes.rs", &sql).len(), 1);
    assert_eq!(complaints("gateway/src/stores.rs", &sql).len(), 1);
    assert_eq!(
        complaints("gateway/src/routes.rs", &sql_after_tests).len(),
        1,
        "a test module in another file excludes nothing"
    );

    assert!(complaints("policy/src/decide.rs", "//! A file.\n").is_empty());
    assert!(complaints("policy/src/decide.rs", &long_tests).is_empty());
    assert!(complaints("policy/src/decide.rs", &sql_in_tests).is_empty());
    assert!(complaints("policy/src/store.rs", &sql).is_empty());
    assert!(complaints("ledger/src/store/entry.rs", &sql).is_empty());
    assert!(complaints("platform/src/db.rs", &sql).is_empty());
}

/// Describes the problems of the folders.
fn crowded(folders: &BTreeMap<String, usize>) -> Vec<String> {
    let too_many = folders.iter().filter(|(_, files)| **files > MAX_FILES);
    too_many.map(|(folder, files)| format!("{folder}: {files} files, at most {MAX_FILES}")).collect()
}

/// Describes the problems of a file; `name` is its path below `crates/`.
fn complaints(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if !text.starts_with("//!") {
        found.push(format!("{name}: the first line is not `//!` and what the file is for"));
    }
    if is_test(name) {
        return found;
    }
    let lines = without_tests(text);
    if lines.len() > MAX_LINES {
        found.push(format!("{name}: {} lines without tests, at most {MAX_LINES}", lines.len()));
    }
    if !may_hold_sql(name) {
        let at = lines.iter().position(|line| SQL.iter().any(|sql| line.contains(sql)));
        found.extend(at.map(|at| format!("{name}:{}: SQL belongs into store.rs", at + 1)));
    }
    found
}

fn is_test(name: &str) -> bool {
    name.ends_with("/tests.rs") || name.contains("/tests/")
}

/// Test kit and trials create databases and read tables from outside, as a person with psql would.
fn may_hold_sql(name: &str) -> bool {
    name.ends_with("/store.rs")
        || name.contains("/store/")
        || name == "platform/src/db.rs"
        || name.starts_with("platform/src/db/")
        || name.starts_with("testkit/")
        || name.starts_with("trials/")
}

/// The lines before the test module at the end.
fn without_tests(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let is_test = |from: &[&str]| {
        let mut after = from.iter().skip(1).skip_while(|line| line.starts_with("#[expect("));
        from.first() == Some(&"#[cfg(test)]")
            && after.next().is_some_and(|line| line.starts_with("mod ") && line.trim_end().ends_with('{'))
    };
    let tail = (0..lines.len()).position(|at| is_test(&lines[at..]));
    match tail {
        Some(tail) => lines[..tail].to_vec(),
        None => lines,
    }
}

/// All Rust files below a folder.
pub(crate) fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry of a folder").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}
