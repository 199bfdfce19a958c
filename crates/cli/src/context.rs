//! What every command needs: the settings, the streams, and a client once it asks for one.

use serde::de::{DeserializeOwned, IgnoredAny};

use crate::{
    Console, Global,
    client::{Answer, Client},
    error::Error,
    exit::Exit,
    input,
};

/// What a command works with.
pub(crate) struct Context<'a> {
    global: &'a Global,
    pub(crate) console: &'a mut Console,
    warned: bool,
}

impl<'a> Context<'a> {
    pub(crate) fn new(global: &'a Global, console: &'a mut Console) -> Self {
        Self { global, console, warned: false }
    }

    /// Whether one JSON document is wanted.
    pub(crate) fn json(&self) -> bool {
        self.global.json
    }

    /// A client with the token. The file that was named wins over the environment.
    pub(crate) fn client(&mut self) -> Result<Client, Error> {
        let token = match &self.global.token_file {
            Some(path) => Some(input::token_from_file(path)?),
            None => self.global.token.clone(),
        };
        let Some(token) = token.filter(|token| !token.0.is_empty()) else {
            return Err(Error::usage("no token: set COUNTERSIGN_TOKEN, or name a file with --token-file"));
        };
        let client = Client::new(&self.global.url, Some(token))?;
        if client.exposes_token() && !self.warned {
            self.warned = true;
            self.console.note("warning: the token crosses the network in the clear; use https")?;
        }
        Ok(client)
    }

    /// A client for what is public.
    pub(crate) fn anonymous(&self) -> Result<Client, Error> {
        Client::new(&self.global.url, None)
    }

    /// Prints an answer: as it came, or as a person reads it.
    pub(crate) fn show<T: DeserializeOwned>(
        &mut self,
        answer: &Answer,
        human: impl FnOnce(T, bool) -> String,
    ) -> Result<Exit, Error> {
        if self.json() {
            // Printed as it came, but only if it is what was promised: one JSON document.
            answer.parse::<IgnoredAny>()?;
            self.console.json_text(&answer.text)?;
        } else {
            let text = human(answer.parse()?, self.console.out_is_terminal);
            self.console.data(&text)?;
        }
        Ok(Exit::Done)
    }

    /// Says that something was done, where the answer holds nothing a person needs.
    pub(crate) fn done(&mut self, answer: &Answer, sentence: &str) -> Result<Exit, Error> {
        if self.json() {
            self.console.json_text(&answer.text)?;
        } else {
            self.console.note(sentence)?;
        }
        Ok(Exit::Done)
    }
}
