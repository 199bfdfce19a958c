//! `commands prepare`: installs an MCP server into a folder, so that nothing is downloaded when it starts, and prints how
//! to declare it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, bail, ensure};
use catalog::mcp::{self, Organizations};
use clap::{Args, Subcommand};
use serde_json::Value;

use crate::commands::say;

/// Install MCP servers as declared commands
#[derive(Debug, Subcommand)]
pub(crate) enum Commands {
    /// Install a server with npm or pip into a folder, and print its declaration
    #[command(after_help = "Examples:
  countersign commands prepare files --npm @modelcontextprotocol/server-filesystem@2026.8.31 --dir /srv/commands -- /srv/documents
  countersign commands prepare time --pip mcp-server-time==2026.10.19 --dir /srv/commands -- --local-timezone UTC

Scripts of packages are not run at installation by npm. Add the declaration to the file that COUNTERSIGN_STDIO_SERVERS
names, with the folders in `read` and the hosts in `hosts` that the server needs, and restart gateways and workers.")]
    Prepare(Prepare),
}

#[derive(Debug, Args)]
pub(crate) struct Prepare {
    /// Name of the command, as organizations will connect it
    name: String,
    /// Package for npm, with its version
    #[arg(long, value_name = "PACKAGE", conflicts_with = "pip", required_unless_present = "pip")]
    npm: Option<String>,
    /// Package for pip, with its version
    #[arg(long, value_name = "PACKAGE")]
    pip: Option<String>,
    /// Folder for prepared servers; this one gets a folder in it
    #[arg(long, value_name = "FOLDER")]
    dir: PathBuf,
    /// Program of the package [default: the only one]
    #[arg(long, value_name = "PROGRAM")]
    bin: Option<String>,
    /// Let every organization connect it
    #[arg(long)]
    all_organizations: bool,
    /// Arguments of the server
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
}

pub(crate) fn run(command: Commands) -> anyhow::Result<()> {
    let Commands::Prepare(asked) = command;
    let declared = prepare(&asked)?;
    let text = serde_json::to_string_pretty(&Value::from_iter([(asked.name, declared)]))?;
    say(text);
    Ok(())
}

fn prepare(asked: &Prepare) -> anyhow::Result<Value> {
    fs::create_dir_all(&asked.dir).with_context(|| format!("creating {} failed", asked.dir.display()))?;
    let folder = asked.dir.canonicalize()?.join(&asked.name);
    ensure!(!folder.exists(), "{} exists already. Delete it first, or choose another name", folder.display());
    fs::create_dir(&folder)?;
    let prepared = installed(asked, &folder);
    if prepared.is_err() {
        // So that it can be tried again.
        let _ = fs::remove_dir_all(&folder);
    }
    prepared
}

fn installed(asked: &Prepare, folder: &Path) -> anyhow::Result<Value> {
    let (program, read) = match (&asked.npm, &asked.pip) {
        (Some(package), _) => npm(folder, package, asked.bin.as_deref())?,
        (None, Some(package)) => pip(folder, package, asked.bin.as_deref())?,
        (None, None) => bail!("name a package with --npm or --pip"),
    };
    // The program runs as another user.
    install(Command::new("chmod").args(["-R", "a+rX"]).arg(folder))?;
    let organizations = if asked.all_organizations { Organizations::ALL } else { Organizations::default() };
    let command = program.into_iter().chain(asked.arguments.clone()).collect();
    let mut declared =
        serde_json::to_value(mcp::Command { command, organizations, read, ..mcp::Command::default() })?;
    if let Some(fields) = declared.as_object_mut() {
        fields.retain(|name, value| {
            name == "organizations" || !value.is_null() && *value != Value::from(Vec::<Value>::new())
        });
        fields.retain(|_, value| value.as_object().is_none_or(|fields| !fields.is_empty()));
    }
    Ok(declared)
}

/// The command of a package for npm, and what it reads.
fn npm(folder: &Path, package: &str, bin: Option<&str>) -> anyhow::Result<(Vec<String>, Vec<PathBuf>)> {
    let flags = ["install", "--ignore-scripts", "--install-links", "--no-audit", "--no-fund"];
    install(Command::new("npm").args(flags).arg("--prefix").arg(folder).arg(package))?;
    let manifest = read_json(&folder.join("package.json"))?;
    let name = manifest["dependencies"].as_object().and_then(|all| all.keys().next());
    let root = folder.join("node_modules").join(name.context("npm installed no package")?);
    let manifest = read_json(&root.join("package.json"))?;
    let programs: Vec<(String, String)> = match &manifest["bin"] {
        Value::String(path) => vec![(String::new(), path.clone())],
        Value::Object(all) => {
            all.iter().filter_map(|(name, path)| Some((name.clone(), path.as_str()?.to_owned()))).collect()
        }
        _ => Vec::new(),
    };
    let path = chosen(programs, bin)?;
    let node = on_path("node").context("Node.js is not installed")?;
    let mut read = vec![folder.to_owned()];
    read.extend(prefix_of(&node));
    Ok((vec![text(&node)?, text(&root.join(path).canonicalize()?)?], read))
}

/// The command of a package for pip, and what it reads.
fn pip(folder: &Path, package: &str, bin: Option<&str>) -> anyhow::Result<(Vec<String>, Vec<PathBuf>)> {
    install(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    let bins = folder.join("bin");
    let programs = || -> anyhow::Result<Vec<(String, String)>> {
        let all =
            fs::read_dir(&bins)?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        Ok(all.map(|name| (name.clone(), name)).collect())
    };
    let before = programs()?;
    let quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    install(Command::new(bins.join("python")).args(quiet).arg(package))?;
    let mut new = programs()?;
    new.retain(|program| !before.contains(program));
    // Packages that it depends on have programs too.
    let own = package.split(['=', '<', '>', '~', '[', ' ']).next().unwrap_or_default();
    let bin = bin.or_else(|| new.iter().any(|(name, _)| name == own).then_some(own));
    let script = chosen(new.clone(), bin)?;
    let python = bins.join("python").canonicalize()?;
    let mut read = vec![folder.to_owned()];
    read.extend(prefix_of(&python));
    Ok((vec![text(&bins.join("python"))?, text(&bins.join(script))?], read))
}

fn chosen(programs: Vec<(String, String)>, bin: Option<&str>) -> anyhow::Result<String> {
    let names: Vec<&str> = programs.iter().map(|(name, _)| name.as_str()).collect();
    let wanted = match (bin, programs.as_slice()) {
        (Some(bin), _) => programs.iter().find(|(name, _)| name == bin),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let found = wanted.map(|(_, path)| path.clone());
    found.with_context(|| match names.as_slice() {
        [] => "the package has no program".to_owned(),
        _ => format!("the package has the programs {}. Choose one with --bin", names.join(", ")),
    })
}

/// The folder of an interpreter that is not a part of the system's.
fn prefix_of(program: &Path) -> Option<PathBuf> {
    let prefix = program.parent()?.parent()?;
    (!prefix.starts_with("/usr") && prefix != Path::new("/")).then(|| prefix.to_owned())
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = platform::config::variable("PATH")?;
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())?;
    found.canonicalize().ok()
}

/// Runs a command that installs something; what it prints goes to stderr.
fn install(command: &mut Command) -> anyhow::Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command
        .stdin(Stdio::null())
        .stdout(std::io::stderr())
        .status()
        .with_context(|| format!("starting `{program}` failed; is it installed?"))?;
    ensure!(status.success(), "`{program}` ended with {status}");
    Ok(())
}

fn read_json(path: &Path) -> anyhow::Result<Value> {
    let bytes = fs::read(path).with_context(|| format!("reading {} failed", path.display()))?;
    Ok(serde_json::from_slice(&bytes)?)
}

fn text(path: &Path) -> anyhow::Result<String> {
    path.to_str().map(ToOwned::to_owned).with_context(|| format!("{} is no text", path.display()))
}
