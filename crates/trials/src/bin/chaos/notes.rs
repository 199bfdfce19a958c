//! A declared command as a target: a server in the sandbox that keeps lines in a file, which the trial counts.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use anyhow::Context as _;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::Deployment;

/// The name of the source.
const NOTES: &str = "notes";

pub(crate) struct Notes {
    dir: PathBuf,
}

impl Notes {
    /// Writes the declaration. The program has a path of its own, by which its processes are found.
    pub(crate) fn declare() -> anyhow::Result<Self> {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("countersign-notes-{}-{number}", std::process::id()));
        let kept = dir.join("kept");
        fs::create_dir_all(&kept)?;
        // Its user is another one.
        fs::set_permissions(&kept, fs::Permissions::from_mode(0o777))?;
        let program = dir.join("mcp_server");
        fs::copy(std::env::current_exe()?.with_file_name("mcp_server"), &program)?;
        let declared = json!({ NOTES: {
            "command": [program], "env": { "NOTES": kept.join("lines") }, "organizations": "all", "write": [kept],
        } });
        fs::write(dir.join("stdio.json"), declared.to_string())?;
        Ok(Self { dir })
    }

    pub(crate) fn file(&self) -> String {
        self.dir.join("stdio.json").display().to_string()
    }

    /// Connects it, and accepts its tool as one that must not be repeated.
    pub(crate) async fn connect(&self, deployment: &Deployment) -> anyhow::Result<()> {
        let body = json!({ "source": NOTES, "kind": "stdio", "place": NOTES });
        let added = deployment.as_owner(Method::POST, "/v1/connectors", body).await?;
        anyhow::ensure!(added["problem"].is_null(), "{added}");
        let found = deployment.as_owner(Method::GET, "/v1/connectors/notes", Value::Null).await?;
        let tools = found["tools"].as_array().context("tools")?;
        let tool = tools.iter().find(|tool| tool["tool"] == "note").context("the tool `note`")?;
        let review = json!({
            "tool": "note", "shape_hash": tool["shape_hash"], "text_hash": tool["text_hash"],
            "verdict": "accept", "risk": "R2", "effect": "once",
        });
        deployment.as_owner(Method::POST, "/v1/connectors/notes/review", review).await.map(drop)
    }

    /// How often a line was kept.
    pub(crate) fn count(&self, line: &str) -> u64 {
        let lines = fs::read_to_string(self.dir.join("kept/lines")).unwrap_or_default();
        lines.lines().filter(|kept| *kept == line).count() as u64
    }

    /// The next line is kept, and not answered.
    pub(crate) fn hold(&self) {
        let _ = fs::write(self.dir.join("kept/lines.hold"), "");
    }

    pub(crate) fn let_go(&self) {
        let _ = fs::remove_file(self.dir.join("kept/lines.hold"));
    }

    /// How many of its processes run although nobody is left who started them.
    pub(crate) async fn left_running(&self) -> usize {
        let program = self.dir.join("mcp_server");
        for _ in 0..200 {
            if running(&program) == 0 {
                return 0;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        running(&program)
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

fn running(program: &Path) -> usize {
    let name = program.display().to_string();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).split('\0').next() == Some(&name)).count()
}
