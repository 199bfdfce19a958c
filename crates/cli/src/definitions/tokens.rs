//! Tokens of webhook triggers, which are shown once, with an example request.

use api::NewHookTokenView;

use crate::{
    Context,
    client::{Answer, Client},
    error::Error,
    exit::Exit,
    table,
    visible::inline,
};

/// Prints the tokens of new webhook triggers.
pub(crate) fn print_tokens(
    cx: &mut Context<'_>,
    client: &Client,
    new: &[NewHookTokenView],
) -> Result<(), Error> {
    for one in new {
        let pairs = vec![
            ("trigger", Some(one.trigger.to_string())),
            ("address", Some(address(client, one))),
            ("token", Some(inline(&one.token.0))),
            ("signing secret", one.signing_secret.as_ref().map(|secret| inline(&secret.0))),
        ];
        cx.console.note("new webhook trigger; its token is shown only once:")?;
        cx.console.data(&table::pairs(pairs, false))?;
        cx.console.note(&hint(client, one))?;
    }
    Ok(())
}

/// Prints a rotated token to stdout, and the signing secret in a second line.
pub(crate) fn rotated(cx: &mut Context<'_>, client: &Client, answer: &Answer) -> Result<Exit, Error> {
    if !cx.json() {
        let new: NewHookTokenView = answer.parse()?;
        cx.console.note(&format!("new token of {}, shown only once:", address(client, &new)))?;
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

/// An example request. The token is not an argument of a process: `printf` is a shell builtin.
fn hint(client: &Client, new: &NewHookTokenView) -> String {
    if new.signing_secret.is_some() {
        return "requests must carry the token and be signed with the secret (Standard Webhooks)".to_owned();
    }
    // People paste this into a shell, so nothing in it may end the quotes.
    let address = address(client, new).replace('\'', "'\\''");
    format!(
        "example:  printf 'Authorization: Bearer %s' \"$TOKEN\" | curl -H @- -H 'content-type: application/json' \
         -d '{{}}' '{address}'"
    )
}
