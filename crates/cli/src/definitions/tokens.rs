//! Tokens of webhook triggers, which are shown once: where they belong, and how to try them.

use api::NewHookTokenView;

use crate::{
    Context,
    client::{Answer, Client},
    error::Error,
    exit::Exit,
    table,
    visible::inline,
};

/// Prints tokens that were made by saving a definition, each with where it belongs.
pub(crate) fn shown(cx: &mut Context<'_>, client: &Client, new: &[NewHookTokenView]) -> Result<(), Error> {
    for one in new {
        let pairs = vec![
            ("trigger", Some(one.trigger.to_string())),
            ("address", Some(address(client, one))),
            ("token", Some(inline(&one.token.0))),
            ("signing secret", one.signing_secret.as_ref().map(|secret| inline(&secret.0))),
        ];
        cx.console.note("a new webhook, its token shown this once:")?;
        cx.console.data(&table::pairs(pairs, false))?;
        cx.console.note(&hint(client, one))?;
    }
    Ok(())
}

/// Prints a token that took the place of another: alone on stdout, and the signing secret in a second line.
pub(crate) fn rotated(cx: &mut Context<'_>, client: &Client, answer: &Answer) -> Result<Exit, Error> {
    if !cx.json() {
        let new: NewHookTokenView = answer.parse()?;
        cx.console.note(&format!("the token of {}, shown this once:", address(client, &new)))?;
        let secret = new.signing_secret.as_ref().map(|secret| format!("\n{}", inline(&secret.0)));
        cx.console.data(&format!("{}{}", inline(&new.token.0), secret.unwrap_or_default()))?;
        cx.console.note(&hint(client, &new))?;
        return Ok(Exit::Done);
    }
    cx.show(answer, |_: NewHookTokenView, _| String::new())
}

fn address(client: &Client, new: &NewHookTokenView) -> String {
    inline(&format!("{}{}", client.address().trim_end_matches('/'), new.path))
}

/// How to send a request. The token is never an argument: `printf` is the shell's own and stands in no process list.
fn hint(client: &Client, new: &NewHookTokenView) -> String {
    if new.signing_secret.is_some() {
        return "requests must carry the token, and be signed with the secret as Standard Webhooks says"
            .to_owned();
    }
    // It may be pasted into a shell, so nothing in it may end the quotes.
    let address = address(client, new).replace('\'', "'\\''");
    format!(
        "try it:  printf 'Authorization: Bearer %s' \"$TOKEN\" | curl -H @- -H 'content-type: application/json' \
         -d '{{}}' '{address}'"
    )
}
