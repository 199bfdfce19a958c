//! The output of `countersign dev` when everything is ready: addresses, tokens, and commands to try.

use std::path::{Path, PathBuf};

use catalog::integrations;
use serde_json::{Value, json};

use super::{
    Dev,
    demo::{Owner, Session},
    fleet::Fleet,
    place::Held,
    plan::Plan,
};

pub(crate) struct Access {
    pub(crate) owner: Owner,
    pub(crate) session: Session,
}

pub(crate) struct Summary {
    gateway: String,
    web: String,
    restate_admin: String,
    org: String,
    owner: Owner,
    session: Session,
    dir: PathBuf,
    logs: PathBuf,
    fakes: Value,
    processes: Vec<(&'static str, i32)>,
}

impl Summary {
    pub(crate) fn new(
        arguments: &Dev,
        plan: &Plan,
        held: &Held,
        fleet: &Fleet,
        Access { owner, session }: Access,
    ) -> Self {
        let fakes = plan.fakes.as_ref().map(|_| {
            integrations::ALL
                .iter()
                .map(|fake| (fake.slug.to_owned(), plan.ports.url(fake.slug).into()))
                .collect::<serde_json::Map<_, _>>()
        });
        Self {
            gateway: plan.ports.url("gateway"),
            web: plan.ports.web(),
            restate_admin: plan.restate_urls().1,
            org: arguments.org.clone(),
            owner,
            session,
            dir: held.dir().to_owned(),
            logs: held.at("logs"),
            fakes: fakes.map_or(Value::Null, Value::Object),
            processes: fleet.pids().collect(),
        }
    }

    /// The summary as one JSON object, for programs.
    pub(crate) fn json(&self) -> String {
        let processes = self.processes.iter().map(|(name, pid)| json!({ "name": name, "pid": pid }));
        let commands = self.commands();
        json!({
            "gateway": self.gateway,
            "docs": format!("{}/docs", self.gateway),
            "restate_admin": self.restate_admin,
            "org": self.org,
            "owner_token": self.owner.token,
            "owner_token_file": self.owner.token_file,
            "session": self.session.id,
            "session_token": self.session.token,
            "session_token_file": self.session.token_file,
            "dir": self.dir,
            "logs": self.logs,
            "fakes": self.fakes,
            "processes": processes.collect::<Vec<_>>(),
            "try": commands.map(|(_, command)| command),
        })
        .to_string()
    }

    /// The summary as text, for people.
    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "\n  web            {6}  (sign in with the owner token)\n  gateway        {0}\n  reference      {0}/docs\n  engine         {1}\n  logs           {2}\n  org            \
             {3}\n  owner token    {4}\n  session token  {5}\n",
            self.gateway,
            self.restate_admin,
            self.logs.display(),
            self.org,
            self.owner.token,
            self.session.token,
            self.web,
        );
        for (what, command) in self.commands() {
            text += &format!("\n{what}:\n  {command}\n");
        }
        text + "\nCtrl-C stops everything. Data and organization are kept for the next start."
    }

    /// The commands to try, in order.
    fn commands(&self) -> [(&'static str, String); 3] {
        let url =
            if self.gateway.ends_with(":7878") { String::new() } else { format!(" --url {}", self.gateway) };
        let with =
            |file: &Path, rest: &str| format!("{}{url} --token-file {} {rest}", program(), shell(file));
        let wait = if self.fakes.is_null() {
            (
                "As the owner: connect a source with your credential",
                with(&self.owner.token_file, "connections add linear --from-env LINEAR_API_KEY"),
            )
        } else {
            (
                "As the agent, in another terminal: run an action that needs approval",
                with(
                    &self.session.token_file,
                    "actions run linear.create_issue --param team_id=team-1 --param title='Written by an agent'",
                ),
            )
        };
        [
            (
                "As the agent: list the actions, with what policy would decide",
                with(&self.session.token_file, "actions list"),
            ),
            wait,
            (
                "As the owner, in a third terminal: review pending requests",
                with(&self.owner.token_file, "inbox"),
            ),
        ]
    }
}

/// How to call this program in a shell from any directory.
fn program() -> String {
    let own = std::env::current_exe().unwrap_or_else(|_| "countersign".into());
    let path = platform::config::variable("PATH").unwrap_or_default();
    let first =
        std::env::split_paths(&path).map(|folder| folder.join("countersign")).find(|file| file.is_file());
    let is_own = first.and_then(|file| file.canonicalize().ok()).is_some_and(|file| file == own);
    if is_own { "countersign".to_owned() } else { shell(&own) }
}

/// A path, quoted for a shell if necessary.
fn shell(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+".contains(letter);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_one_word_to_a_shell() {
        assert_eq!(shell(Path::new("/var/lib/countersign/dev")), "/var/lib/countersign/dev");
        assert_eq!(shell(Path::new("/home/o'neil/my data")), r"'/home/o'\''neil/my data'");
    }
}
