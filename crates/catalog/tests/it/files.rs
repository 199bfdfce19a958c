//! Files of the workspace, and paths that are refused.

use std::{fs, os::unix::fs::symlink, path::PathBuf};

use catalog::{CallContext, Registry, SourceError, SourceUrls, Undone, Verification};
use model::ErrorClass;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Subject, context};

/// A workspace next to a file that must not be reachable.
struct Workspace {
    root: PathBuf,
    ctx: CallContext,
}

impl Workspace {
    fn new(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("countersign-{}-{name}", std::process::id()));
        fs::create_dir_all(root.join("work")).unwrap();
        fs::write(root.join("outside.txt"), "secret").unwrap();
        let ctx = CallContext { workspace: Some(root.join("work")), ..context("k") };
        Self { root, ctx }
    }

    fn subject(&self, action: &str, params: Value) -> Subject {
        let registry = Registry::builtin(&SourceUrls::default()).unwrap();
        Subject::new(&registry, &format!("files.{action}"), params)
    }

    fn write(&self, path: &str, text: &str) -> Subject {
        self.subject("write_text", json!({"path": path, "text": text}))
    }

    async fn read(&self, path: &str) -> Result<Value, SourceError> {
        let subject = self.subject("read_text", json!({"path": path}));
        subject.execute(&self.ctx).await.map(|done| done.output["text"].clone())
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

#[tokio::test]
async fn a_new_file_is_confirmed_found_and_removed_when_undone() {
    let work = Workspace::new("new");
    let subject = work.write("reports/today.md", "# Today");
    let preview = subject.preview(&work.ctx).await.unwrap().unwrap();
    assert_eq!(preview.summary, "Creates the file `reports/today.md` (7 bytes)");
    assert_eq!(subject.lookup(&work.ctx).await, Ok(None));
    let done = subject.execute(&work.ctx).await.unwrap();
    assert_eq!(subject.verify(&done, &work.ctx).await, Ok(Verification::Confirmed));
    assert!(subject.lookup(&work.ctx).await.unwrap().is_some());
    assert_eq!(work.read("reports/today.md").await.unwrap(), "# Today");
    let list = work.subject("list", json!({"path": "reports"})).execute(&work.ctx).await.unwrap();
    assert_eq!(list.output["entries"], json!([{"name": "today.md", "kind": "file", "bytes": 7}]));
    for _ in 0..2 {
        assert!(matches!(subject.rollback(&done, &work.ctx).await, Ok(Undone::Done(_))));
    }
    assert_eq!(work.read("reports/today.md").await.unwrap_err().class, ErrorClass::NotFound);
}

#[tokio::test]
async fn a_replaced_file_gets_its_text_back_unless_somebody_changed_it_since() {
    let work = Workspace::new("replaced");
    work.write("a.txt", "old").execute(&work.ctx).await.unwrap();
    let subject = work.write("a.txt", "new");
    let done = subject.execute(&work.ctx).await.unwrap();
    assert!(matches!(subject.rollback(&done, &work.ctx).await, Ok(Undone::Done(_))));
    assert_eq!(work.read("a.txt").await.unwrap(), "old");
    let done = subject.execute(&work.ctx).await.unwrap();
    work.write("a.txt", "newer").execute(&work.ctx).await.unwrap();
    assert!(matches!(subject.rollback(&done, &work.ctx).await, Ok(Undone::NotPossible(_))));
    assert!(matches!(subject.verify(&done, &work.ctx).await, Ok(Verification::Refuted(_))));
    assert_eq!(work.read("a.txt").await.unwrap(), "newer");
}

#[tokio::test]
async fn no_path_leads_out() {
    let work = Workspace::new("paths");
    let absolute = work.root.join("outside.txt");
    for path in [
        "../outside.txt",
        "a/../../outside.txt",
        "./../outside.txt",
        "..",
        "/etc/passwd",
        absolute.to_str().unwrap(),
        "a//b",
        "a\\..\\b",
        "a\0b",
    ] {
        assert_eq!(work.read(path).await.unwrap_err().class, ErrorClass::Invalid, "{path}");
        let error = work.write(path, "x").execute(&work.ctx).await.unwrap_err();
        assert_eq!((error.class, error.sent), (ErrorClass::Invalid, false), "{path}");
        assert!(work.subject("list", json!({"path": path})).execute(&work.ctx).await.is_err(), "{path}");
    }
    assert_eq!(fs::read_to_string(absolute).unwrap(), "secret");
}

#[tokio::test]
async fn no_link_leads_out() {
    let work = Workspace::new("links");
    let inside = work.root.join("work");
    symlink("../outside.txt", inside.join("file")).unwrap();
    symlink(work.root.join("outside.txt"), inside.join("absolute")).unwrap();
    symlink("..", inside.join("folder")).unwrap();
    for path in ["file", "absolute", "folder/outside.txt"] {
        assert!(work.read(path).await.is_err(), "{path}");
        assert!(work.write(path, "x").execute(&work.ctx).await.is_err(), "{path}");
    }
    assert!(work.write("folder/new.txt", "x").execute(&work.ctx).await.is_err());
    assert!(work.subject("list", json!({"path": "folder"})).execute(&work.ctx).await.is_err());
    assert!(!work.root.join("new.txt").exists());
    assert_eq!(fs::read_to_string(work.root.join("outside.txt")).unwrap(), "secret");
}

#[tokio::test]
async fn large_files_other_things_and_calls_without_a_workspace_are_refused() {
    let work = Workspace::new("limits");
    let inside = work.root.join("work");
    fs::write(inside.join("large"), vec![b'x'; (1 << 20) + 1]).unwrap();
    fs::write(inside.join("binary"), [0xff, 0xfe]).unwrap();
    fs::create_dir(inside.join("folder")).unwrap();
    for path in ["large", "binary", "folder"] {
        assert_eq!(work.read(path).await.unwrap_err().class, ErrorClass::Invalid, "{path}");
        assert!(work.write(path, "x").execute(&work.ctx).await.is_err(), "{path}");
    }
    let nowhere = CallContext { workspace: None, ..work.ctx.clone() };
    assert!(work.write("a", "x").execute(&nowhere).await.is_err());
}

#[tokio::test]
async fn the_first_file_of_an_org_makes_its_workspace() {
    let work = Workspace::new("first");
    let first = CallContext { workspace: Some(work.root.join(Uuid::nil().to_string())), ..work.ctx.clone() };
    assert!(work.write("a", "x").execute(&first).await.is_ok());
}
