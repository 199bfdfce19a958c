//! Mirrors of the log's checkpoints: what they are given, and what they refuse to have overwritten.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use ledger::mirror::{Divergence, Error, Mirror, Pushed};
use platform::objects::Objects;
use receipt::{Checkpoint, KeySet};
use testkit::{TestApp, fakes::FakeS3};

use crate::ledger::act;

/// A directory of one's own; removed with this value.
struct Directory(PathBuf);

impl Directory {
    fn new(app: &TestApp, name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("countersign-mirror-{}-{name}", app.db.name));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.0.join(name)).ok()
    }

    fn mirror(&self, scheme: &str) -> Mirror {
        Mirror::parse(&format!("{scheme}://{}", self.0.display())).unwrap()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs git and gives what it says.
fn git(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git").arg("-C").arg(directory).args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

async fn grow(app: &TestApp, times: usize) -> anyhow::Result<u64> {
    act(app, &app.agent().await?, times).await?;
    app.sequence().await
}

async fn verified(app: &TestApp, note: &str) -> anyhow::Result<Checkpoint> {
    let keys = KeySet::new(&app.app.ledger.key_set().await?.keys)?;
    Ok(Checkpoint::verify(note, &keys)?)
}

/// As whoever owns the database could: another hash where one was.
async fn rewrite(app: &TestApp) -> anyhow::Result<()> {
    let mut owner = app.db.owner().await?;
    for statement in [
        "ALTER TABLE ledger_tiles DISABLE TRIGGER ledger_tiles_grow",
        "UPDATE ledger_tiles SET hashes = overlay(hashes placing '\\x00000000' from 33) WHERE level = 0",
        "ALTER TABLE ledger_tiles ENABLE TRIGGER ledger_tiles_grow",
    ] {
        sqlx::query(statement).execute(&mut owner).await?;
    }
    Ok(())
}

fn divergence(pushed: Result<Pushed, Error>) -> Divergence {
    match pushed {
        Err(Error::Diverged(divergence)) => divergence,
        other => panic!("it was not refused: {other:?}"),
    }
}

#[tokio::test]
async fn a_directory_is_given_each_newer_checkpoint_and_keeps_the_older_ones() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let directory = Directory::new(&app, "plain");
    let (mirror, ledger) = (directory.mirror("file"), &app.app.ledger);
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::NotYet, "the log has not begun");

    let first = grow(&app, 2).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(first));
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Nothing, "it holds the newest");
    let second = grow(&app, 3).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(second));

    for size in [first, second] {
        let note = directory.read(&format!("checkpoints/{size:020}")).expect("it is kept");
        assert_eq!(verified(&app, &note).await?.size, size);
    }
    let newest = directory.read("checkpoint").expect("the newest is there");
    assert_eq!(Some(newest), app.app.ledger.checkpoint().await?);
    mirror.probe().await?;
    let mut there: Vec<_> =
        std::fs::read_dir(&directory.0)?.map(|entry| entry.unwrap().file_name()).collect();
    there.sort();
    assert_eq!(there, ["checkpoint", "checkpoints"], "nothing is left of the probe");
    app.check_invariants().await
}

#[tokio::test]
async fn an_idle_log_is_told_again_after_an_hour() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let directory = Directory::new(&app, "idle");
    let (mirror, ledger) = (directory.mirror("file"), &app.app.ledger);
    let size = grow(&app, 1).await?;
    ledger.mirror(&mirror).await?;
    let kept = directory.read(&format!("checkpoints/{size:020}"));
    app.advance(Duration::from_secs(61));
    app.sequence().await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Nothing);
    app.advance(Duration::from_secs(3_600));
    app.sequence().await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(size));
    assert_eq!(directory.read("checkpoint"), ledger.checkpoint().await?);
    assert_eq!(directory.read(&format!("checkpoints/{size:020}")), kept, "what is kept stays as it was");
    app.check_invariants().await
}

#[tokio::test]
async fn a_log_that_was_rewritten_does_not_overwrite_what_a_mirror_holds() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let (directory, empty) = (Directory::new(&app, "before"), Directory::new(&app, "after"));
    let (mirror, ledger) = (directory.mirror("file"), &app.app.ledger);
    let size = grow(&app, 3).await?;
    ledger.mirror(&mirror).await?;
    let held = directory.read("checkpoint");

    rewrite(&app).await?;
    let longer = grow(&app, 1).await?;
    assert_eq!(divergence(ledger.mirror(&mirror).await), Divergence::Rewritten { size });
    assert_eq!(directory.read("checkpoint"), held, "what it holds is the evidence");
    assert_eq!(directory.read(&format!("checkpoints/{longer:020}")), None);
    // The control: the same log is signed and whole for whoever never saw it before.
    assert_eq!(ledger.mirror(&empty.mirror("file")).await?, Pushed::Upto(longer));
    Ok(())
}

#[tokio::test]
async fn a_shorter_log_another_log_and_nonsense_are_refused() -> anyhow::Result<()> {
    let (app, other) = (TestApp::start().await?, TestApp::start().await?);
    let directory = Directory::new(&app, "shorter");
    let (mirror, ledger) = (directory.mirror("file"), &app.app.ledger);
    let short = grow(&app, 1).await?;
    let note = ledger.checkpoint().await?.unwrap();
    let long = grow(&app, 2).await?;
    ledger.mirror(&mirror).await?;
    let held = directory.read("checkpoint");

    // As after a backup was restored.
    let mut owner = app.db.owner().await?;
    sqlx::query("ALTER TABLE ledger_head DISABLE TRIGGER ledger_head_grows").execute(&mut owner).await?;
    sqlx::query("UPDATE ledger_head SET size = $1, checkpoint = $2")
        .bind(i64::try_from(short)?)
        .bind(&note)
        .execute(&mut owner)
        .await?;
    assert_eq!(
        divergence(ledger.mirror(&mirror).await),
        Divergence::Shorter { held: long, log: short },
        "restored from a backup"
    );

    grow(&other, 9).await?;
    let refused = divergence(other.app.ledger.mirror(&mirror).await);
    assert!(matches!(refused, Divergence::NotOurs(_)), "{refused}");
    assert_eq!(directory.read("checkpoint"), held);

    std::fs::write(directory.0.join("checkpoint"), b"\xff nonsense")?;
    assert!(matches!(divergence(ledger.mirror(&mirror).await), Divergence::NotOurs(_)));
    assert_eq!(std::fs::read(directory.0.join("checkpoint"))?, b"\xff nonsense");
    Ok(())
}

#[tokio::test]
async fn a_bucket_is_given_checkpoints_under_conditions() -> anyhow::Result<()> {
    let (app, s3) = (TestApp::start().await?, FakeS3::start().await);
    let objects = Objects::with_keys("s3://bucket/some/prefix", &s3.endpoint(), ("id", "secret"))?;
    let (mirror, ledger) = (Mirror::of(objects), &app.app.ledger);
    mirror.probe().await?;
    assert!(s3.names().is_empty(), "nothing is left of the probe");
    let first = grow(&app, 1).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(first));
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Nothing);
    let second = grow(&app, 1).await?;
    // Many gateways at once: one gives it, the others find it there.
    let all = futures::future::join_all((0..4).map(|_| ledger.mirror(&mirror))).await;
    assert!(all.iter().any(|pushed| matches!(pushed, Ok(Pushed::Upto(size)) if *size == second)), "{all:?}");
    assert!(all.iter().all(Result::is_ok), "{all:?}");
    let kept = |size: u64| format!("some/prefix/checkpoints/{size:020}");
    assert_eq!(s3.names(), ["some/prefix/checkpoint".to_owned(), kept(first), kept(second)]);
    let newest = s3.object("some/prefix/checkpoint").expect("it is there");
    assert_eq!(Some(String::from_utf8(newest.to_vec())?), ledger.checkpoint().await?);

    rewrite(&app).await?;
    grow(&app, 1).await?;
    assert_eq!(divergence(ledger.mirror(&mirror).await), Divergence::Rewritten { size: second });
    assert_eq!(s3.object("some/prefix/checkpoint"), Some(newest));
    Ok(())
}

#[tokio::test]
async fn a_git_remote_is_given_commits_and_none_of_a_log_that_was_rewritten() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let (origin, clone) = (Directory::new(&app, "origin"), Directory::new(&app, "clone"));
    git(&origin.0, &["init", "--quiet", "--bare", "--initial-branch=main"]);
    git(&clone.0, &["clone", "--quiet", origin.0.to_str().unwrap(), "."]);
    let (mirror, ledger) = (clone.mirror("git"), &app.app.ledger);
    mirror.probe().await?;
    assert_eq!(git(&origin.0, &["for-each-ref"]), "", "a probe leaves nothing");

    let first = grow(&app, 1).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(first));
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Nothing);
    let second = grow(&app, 2).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(second));
    let log = git(&origin.0, &["log", "--format=%an <%ae> %s", "main"]);
    let line = |size| format!("Countersign <countersign@localhost> Checkpoint over {size} entries\n");
    assert_eq!(log, line(second) + &line(first));
    let names = git(&origin.0, &["ls-tree", "-r", "--name-only", "main"]);
    assert_eq!(names, format!("checkpoint\ncheckpoints/{first:020}\ncheckpoints/{second:020}\n"));
    assert_eq!(Some(git(&origin.0, &["show", "main:checkpoint"])), ledger.checkpoint().await?);

    rewrite(&app).await?;
    grow(&app, 1).await?;
    assert_eq!(divergence(ledger.mirror(&mirror).await), Divergence::Rewritten { size: second });
    assert_eq!(git(&origin.0, &["log", "--format=%an <%ae> %s", "main"]), log, "nothing was pushed");
    Ok(())
}

#[tokio::test]
async fn what_others_push_to_a_git_remote_stays() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let (origin, clone, theirs) =
        (Directory::new(&app, "shared"), Directory::new(&app, "ours"), Directory::new(&app, "theirs"));
    git(&origin.0, &["init", "--quiet", "--bare", "--initial-branch=main"]);
    for directory in [&clone, &theirs] {
        git(&directory.0, &["clone", "--quiet", origin.0.to_str().unwrap(), "."]);
    }
    let (mirror, ledger) = (clone.mirror("git"), &app.app.ledger);
    grow(&app, 1).await?;
    ledger.mirror(&mirror).await?;

    git(&theirs.0, &["pull", "--quiet", "origin", "main"]);
    std::fs::write(theirs.0.join("README"), "what this is")?;
    git(&theirs.0, &["add", "README"]);
    git(&theirs.0, &["-c", "user.name=They", "-c", "user.email=they@example.com", "commit", "-qm", "Say it"]);
    git(&theirs.0, &["push", "--quiet", "origin", "HEAD:main"]);
    let size = grow(&app, 1).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(size));
    assert_eq!(git(&origin.0, &["show", "main:README"]), "what this is");
    assert_eq!(git(&origin.0, &["rev-list", "--count", "main"]).trim(), "3");

    // One that refuses is told, and what it says holds no password.
    let hook = origin.0.join("hooks/pre-receive");
    std::fs::write(&hook, "#!/bin/sh\necho 'no: https://user:hunter2hunter2@host.example/x' >&2\nexit 1\n")?;
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    grow(&app, 1).await?;
    let refused = ledger.mirror(&mirror).await.expect_err("the remote refuses").to_string();
    assert!(refused.contains("remote rejected") && !refused.contains("hunter2"), "{refused}");
    Ok(())
}
