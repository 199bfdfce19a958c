//! Mirrors of the log's checkpoints: what they are given, and what they refuse to have overwritten.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use ledger::mirror::{Divergence, Error, Mirror, Pushed};
use platform::objects::Objects;
use receipt::Checkpoint;
use testkit::fakes::FakeS3;

use crate::stage::Stage;

/// A directory of one's own; removed with this value.
struct Directory(PathBuf);

impl Directory {
    fn new(stage: &Stage, name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("countersign-mirror-{}-{name}", stage.db.name));
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

async fn verified(stage: &Stage, note: &str) -> anyhow::Result<Checkpoint> {
    Ok(Checkpoint::verify(note, &stage.keys().await?)?)
}

/// As whoever owns the database could: another hash where one was.
async fn rewrite(stage: &Stage) -> anyhow::Result<()> {
    let mut owner = stage.db.owner().await?;
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
    let stage = Stage::set().await?;
    let directory = Directory::new(&stage, "plain");
    let (mirror, ledger) = (directory.mirror("file"), &stage.ledger);
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::NotYet, "the log has not begun");

    let first = stage.grow(2).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(first));
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Nothing, "it holds the newest");
    let second = stage.grow(3).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(second));

    for size in [first, second] {
        let note = directory.read(&format!("checkpoints/{size:020}")).expect("it is kept");
        assert_eq!(verified(&stage, &note).await?.size, size);
    }
    let newest = directory.read("checkpoint").expect("the newest is there");
    assert_eq!(Some(newest), stage.ledger.checkpoint().await?);
    mirror.probe().await?;
    let mut there: Vec<_> =
        std::fs::read_dir(&directory.0)?.map(|entry| entry.unwrap().file_name()).collect();
    there.sort();
    assert_eq!(there, ["checkpoint", "checkpoints"], "nothing is left of the probe");
    stage.is_whole().await
}

#[tokio::test]
async fn after_a_restore_a_mirror_keeps_the_old_log_and_is_given_the_new_one() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let directory = Directory::new(&stage, "epochs");
    let (mirror, ledger) = (directory.mirror("file"), &stage.ledger);
    stage.grow(2).await?;
    ledger.mirror(&mirror).await?;
    let old = directory.read("checkpoint").expect("the newest is there");
    assert!(ledger.begin_epoch(1).await.is_err(), "only a later epoch may begin");
    ledger.begin_epoch(2).await?;
    ledger.begin_epoch(2).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::NotYet, "nothing is signed in the new epoch");
    let size = stage.grow(1).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(size));
    ledger.compare(&mirror).await?;
    assert_eq!(directory.read("checkpoint"), Some(old.clone()), "what it held stays");
    let new = verified(&stage, &directory.read("checkpoint-2").expect("the new log has its own")).await?;
    assert_eq!(new.origin, format!("{}/epoch-2", verified(&stage, &old).await?.origin));
    assert!(directory.read(&format!("checkpoints-2/{size:020}")).is_some());
    stage.is_whole().await
}

#[tokio::test]
async fn an_idle_log_is_told_again_after_an_hour() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let directory = Directory::new(&stage, "idle");
    let (mirror, ledger) = (directory.mirror("file"), &stage.ledger);
    let size = stage.grow(1).await?;
    ledger.mirror(&mirror).await?;
    let kept = directory.read(&format!("checkpoints/{size:020}"));
    stage.advance(Duration::from_secs(61));
    stage.sequence().await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Nothing);
    stage.advance(Duration::from_secs(3_600));
    stage.sequence().await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(size));
    assert_eq!(directory.read("checkpoint"), ledger.checkpoint().await?);
    assert_eq!(directory.read(&format!("checkpoints/{size:020}")), kept, "what is kept stays as it was");
    stage.is_whole().await
}

#[tokio::test]
async fn a_log_that_was_rewritten_does_not_overwrite_what_a_mirror_holds() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (directory, empty) = (Directory::new(&stage, "before"), Directory::new(&stage, "after"));
    let (mirror, ledger) = (directory.mirror("file"), &stage.ledger);
    let size = stage.grow(3).await?;
    ledger.mirror(&mirror).await?;
    let held = directory.read("checkpoint");

    rewrite(&stage).await?;
    let longer = stage.grow(1).await?;
    assert_eq!(divergence(ledger.mirror(&mirror).await), Divergence::Rewritten { size });
    assert_eq!(directory.read("checkpoint"), held, "what it holds is the evidence");
    assert_eq!(directory.read(&format!("checkpoints/{longer:020}")), None);
    // The control: the same log is signed and whole for whoever never saw it before.
    assert_eq!(ledger.mirror(&empty.mirror("file")).await?, Pushed::Upto(longer));
    Ok(())
}

#[tokio::test]
async fn a_shorter_log_another_log_and_nonsense_are_refused() -> anyhow::Result<()> {
    let (stage, other) = (Stage::set().await?, Stage::set().await?);
    let directory = Directory::new(&stage, "shorter");
    let (mirror, ledger) = (directory.mirror("file"), &stage.ledger);
    let short = stage.grow(1).await?;
    let note = ledger.checkpoint().await?.unwrap();
    let long = stage.grow(2).await?;
    ledger.mirror(&mirror).await?;
    let held = directory.read("checkpoint");

    // As after a backup was restored.
    let mut owner = stage.db.owner().await?;
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

    other.grow(9).await?;
    let refused = divergence(other.ledger.mirror(&mirror).await);
    assert!(matches!(refused, Divergence::NotOurs(_)), "{refused}");
    assert_eq!(directory.read("checkpoint"), held);

    std::fs::write(directory.0.join("checkpoint"), b"\xff nonsense")?;
    assert!(matches!(divergence(ledger.mirror(&mirror).await), Divergence::NotOurs(_)));
    assert_eq!(std::fs::read(directory.0.join("checkpoint"))?, b"\xff nonsense");
    Ok(())
}

#[tokio::test]
async fn a_bucket_is_given_checkpoints_under_conditions() -> anyhow::Result<()> {
    let (stage, s3) = (Stage::set().await?, FakeS3::start().await);
    let objects = Objects::with_keys("s3://bucket/some/prefix", &s3.endpoint(), "id", "secret")?;
    let (mirror, ledger) = (Mirror::of(objects), &stage.ledger);
    mirror.probe().await?;
    assert!(s3.names().is_empty(), "nothing is left of the probe");
    let first = stage.grow(1).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(first));
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Nothing);
    let second = stage.grow(1).await?;
    // Many gateways at once: one gives it, the others find it there.
    let all = futures::future::join_all((0..4).map(|_| ledger.mirror(&mirror))).await;
    assert!(all.iter().any(|pushed| matches!(pushed, Ok(Pushed::Upto(size)) if *size == second)), "{all:?}");
    assert!(all.iter().all(Result::is_ok), "{all:?}");
    let kept = |size: u64| format!("some/prefix/checkpoints/{size:020}");
    assert_eq!(s3.names(), ["some/prefix/checkpoint".to_owned(), kept(first), kept(second)]);
    let newest = s3.object("some/prefix/checkpoint").expect("it is there");
    assert_eq!(Some(String::from_utf8(newest.to_vec())?), ledger.checkpoint().await?);

    rewrite(&stage).await?;
    stage.grow(1).await?;
    assert_eq!(divergence(ledger.mirror(&mirror).await), Divergence::Rewritten { size: second });
    assert_eq!(s3.object("some/prefix/checkpoint"), Some(newest));
    Ok(())
}

#[tokio::test]
async fn a_git_remote_is_given_commits_and_none_of_a_log_that_was_rewritten() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (origin, clone) = (Directory::new(&stage, "origin"), Directory::new(&stage, "clone"));
    git(&origin.0, &["init", "--quiet", "--bare", "--initial-branch=main"]);
    git(&clone.0, &["clone", "--quiet", origin.0.to_str().unwrap(), "."]);
    let (mirror, ledger) = (clone.mirror("git"), &stage.ledger);
    mirror.probe().await?;
    assert_eq!(git(&origin.0, &["for-each-ref"]), "", "a probe leaves nothing");

    let first = stage.grow(1).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(first));
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Nothing);
    let second = stage.grow(2).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(second));
    let log = git(&origin.0, &["log", "--format=%an <%ae> %s", "main"]);
    let line = |size| format!("Countersign <countersign@localhost> Checkpoint over {size} entries\n");
    assert_eq!(log, line(second) + &line(first));
    let names = git(&origin.0, &["ls-tree", "-r", "--name-only", "main"]);
    assert_eq!(names, format!("checkpoint\ncheckpoints/{first:020}\ncheckpoints/{second:020}\n"));
    assert_eq!(Some(git(&origin.0, &["show", "main:checkpoint"])), ledger.checkpoint().await?);

    rewrite(&stage).await?;
    stage.grow(1).await?;
    assert_eq!(divergence(ledger.mirror(&mirror).await), Divergence::Rewritten { size: second });
    assert_eq!(git(&origin.0, &["log", "--format=%an <%ae> %s", "main"]), log, "nothing was pushed");
    Ok(())
}

#[tokio::test]
async fn what_others_push_to_a_git_remote_stays() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (origin, clone, theirs) =
        (Directory::new(&stage, "shared"), Directory::new(&stage, "ours"), Directory::new(&stage, "theirs"));
    git(&origin.0, &["init", "--quiet", "--bare", "--initial-branch=main"]);
    for directory in [&clone, &theirs] {
        git(&directory.0, &["clone", "--quiet", origin.0.to_str().unwrap(), "."]);
    }
    let (mirror, ledger) = (clone.mirror("git"), &stage.ledger);
    stage.grow(1).await?;
    ledger.mirror(&mirror).await?;

    git(&theirs.0, &["pull", "--quiet", "origin", "main"]);
    std::fs::write(theirs.0.join("README"), "what this is")?;
    git(&theirs.0, &["add", "README"]);
    git(&theirs.0, &["-c", "user.name=They", "-c", "user.email=they@example.com", "commit", "-qm", "Say it"]);
    git(&theirs.0, &["push", "--quiet", "origin", "HEAD:main"]);
    let size = stage.grow(1).await?;
    assert_eq!(ledger.mirror(&mirror).await?, Pushed::Upto(size));
    assert_eq!(git(&origin.0, &["show", "main:README"]), "what this is");
    assert_eq!(git(&origin.0, &["rev-list", "--count", "main"]).trim(), "3");

    // One that refuses is told, and what it says holds no password.
    let hook = origin.0.join("hooks/pre-receive");
    std::fs::write(&hook, "#!/bin/sh\necho 'no: https://user:hunter2hunter2@host.example/x' >&2\nexit 1\n")?;
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    stage.grow(1).await?;
    let refused = ledger.mirror(&mirror).await.expect_err("the remote refuses").to_string();
    assert!(refused.contains("remote rejected") && !refused.contains("hunter2"), "{refused}");
    Ok(())
}
