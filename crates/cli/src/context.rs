//! What every command uses: the settings, the console and the client.

use serde::de::{DeserializeOwned, IgnoredAny};

use crate::{
    Console, Global,
    client::{Answer, Client},
    error::Error,
    exit::Exit,
    input,
};

pub(crate) struct Context<'a> {
    global: &'a Global,
    pub(crate) console: &'a mut Console,
    warned: bool,
}

impl<'a> Context<'a> {
    pub(crate) fn new(global: &'a Global, console: &'a mut Console) -> Self {
        Self { global, console, warned: false }
    }

    /// Whether `--json` is set.
    pub(crate) fn json(&self) -> bool {
        self.global.json
    }

    /// A client with the token. A token file takes precedence over the environment variable.
    pub(crate) fn client(&mut self) -> Result<Client, Error> {
        let token = match &self.global.token_file {
            Some(path) => Some(input::token_from_file(path)?),
            None => self.global.token.clone(),
        };
        let Some(token) = token.filter(|token| !token.0.is_empty()) else {
            return Err(Error::usage("no token. Set COUNTERSIGN_TOKEN or use --token-file"));
        };
        let client = Client::new(&self.global.url, Some(token))?.giving(self.global.why.as_deref())?;
        if client.exposes_token() && !self.warned {
            self.warned = true;
            self.console.note("warning: the token is sent without encryption; use an https URL")?;
        }
        Ok(client)
    }

    /// A client without a token, for public routes.
    pub(crate) fn anonymous(&self) -> Result<Client, Error> {
        Client::new(&self.global.url, None)
    }

    /// Prints a response: unchanged with `--json`, otherwise formatted.
    pub(crate) fn show<T: DeserializeOwned>(
        &mut self,
        answer: &Answer,
        human: impl FnOnce(T, bool) -> String,
    ) -> Result<Exit, Error> {
        if self.json() {
            // Unchanged, but only if it is one JSON document, as `--json` promises.
            answer.parse::<IgnoredAny>()?;
            self.console.json_text(&answer.text)?;
        } else {
            let text = human(answer.parse()?, self.console.out_is_terminal);
            self.console.data(&text)?;
        }
        Ok(Exit::Done)
    }

    /// Prints a message instead of a response that holds nothing of interest.
    pub(crate) fn done(&mut self, answer: &Answer, sentence: &str) -> Result<Exit, Error> {
        if self.json() {
            self.console.json_text(&answer.text)?;
        } else {
            self.console.note(sentence)?;
        }
        Ok(Exit::Done)
    }
}
