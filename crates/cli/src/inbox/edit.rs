//! `inbox edit`: corrects the parameters of an invocation, with options or in the person's editor.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    os::unix::fs::OpenOptionsExt as _,
    process::Command,
};

use api::{Channel, EditRequest, InboxItem};
use clap::Args;
use model::InvocationId;
use reqwest::Method;
use serde_json::Value;

use super::{
    details::{Details, IN_FULL, shown_digest},
    now,
};
use crate::{Context, client::Client, error::Error, exit::Exit, input};

#[derive(Debug, Args)]
pub(crate) struct Edit {
    /// Id of the invocation
    id: InvocationId,
    /// All corrected parameters as one JSON object: the JSON itself, @FILE, or - for stdin
    #[arg(long, value_name = "JSON")]
    params: Option<String>,
    /// One corrected parameter: name=text, or name:=json; the others stay as they are
    #[arg(long = "param", value_name = "NAME=VALUE", conflicts_with = "params")]
    param: Vec<String>,
    /// Why; the agent can read it
    #[arg(long, default_value = "", hide_default_value = true)]
    note: String,
}

pub(crate) async fn run(cx: &mut Context<'_>, arguments: Edit) -> Result<Exit, Error> {
    let (client, id) = (cx.client()?, arguments.id);
    let InboxItem::Approval(item) = fetch(&client, id).await? else {
        return Err(Error::usage("this item has no parameters that could be edited"));
    };
    let shown_digest = shown_digest(&item).map_err(Error::usage)?;
    let shown = item.shown.map(|shown| shown.params).unwrap_or_default();
    let given = input::PARAMS.read(arguments.params.as_deref(), &arguments.param, cx.console)?;
    let params = if arguments.params.is_some() {
        Value::Object(given)
    } else if !given.is_empty() {
        let mut params = shown;
        if let Some(fields) = params.as_object_mut() {
            fields.extend(given);
        }
        params
    } else if cx.console.input_is_terminal {
        in_editor(id, &shown)?
    } else {
        return Err(Error::usage("give the corrected parameters with --params or --param"));
    };
    let request = EditRequest { shown_digest, params, note: arguments.note, channel: Channel::Cli };
    let path = ["v1", "invocations", &id.to_string(), "edit"];
    let answer = client.send_body(Method::POST, &path, &request)?.send().await?;
    if cx.json() {
        cx.console.json_text(&answer.text)?;
        return Ok(Exit::Done);
    }
    let item = fetch(&client, id).await?;
    let text = Details::of(&item, now(), IN_FULL).text(cx.console.out_is_terminal);
    cx.console.data(&text)?;
    cx.console
        .note(&format!("\nNothing is approved yet. Approve it with `countersign inbox approve {id}`"))?;
    Ok(Exit::Done)
}

async fn fetch(client: &Client, id: InvocationId) -> Result<InboxItem, Error> {
    client.get(&["v1", "inbox", &id.to_string()])?.send().await?.parse()
}

/// Opens the parameters in the person's editor, in a file that only they can read.
fn in_editor(id: InvocationId, params: &Value) -> Result<Value, Error> {
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| input::environment(name));
    let editor = editor.unwrap_or_else(|| "vi".to_owned());
    let path = std::env::temp_dir().join(format!("countersign-{id}-{}.json", std::process::id()));
    let text = serde_json::to_string_pretty(params).unwrap_or_default();
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    let edited = writeln!(file, "{text}").and_then(|()| {
        // As git does it: the editor may be a command with arguments.
        Command::new("sh").arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(&path).status()
    });
    let read = edited.and_then(|status| Ok((status, fs::read(&path)?)));
    fs::remove_file(&path)?;
    let (status, bytes) = read?;
    if !status.success() {
        return Err(Error::usage(format!("`{editor}` failed, so nothing was changed")));
    }
    input::strict(&bytes, "the edited text")
}
