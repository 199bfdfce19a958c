//! Lists: a page at a time, or page after page up to a bound.

use std::collections::BTreeSet;

use api::Page;
use serde::de::DeserializeOwned;
use serde_json::{json, value::RawValue};

use crate::{Context, error::Error, exit::Exit, table, visible::inline};

/// `--all` ends here: more than this is a job for `--cursor` in a script, not for one process's memory.
const MAX_ITEMS: usize = 10_000;

/// Which part of a list.
#[derive(Debug, Default, clap::Args)]
pub struct PageArgs {
    /// At most this many (1 to 100)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    limit: Option<u32>,
    /// Where to begin: what the page before named
    #[arg(long)]
    cursor: Option<String>,
    /// Follow the pages to the end (at most 10000 items)
    #[arg(long)]
    all: bool,
}

/// A list of the gateway, and how a person sees it.
pub(crate) struct List<'a> {
    pub(crate) path: &'a [&'a str],
    pub(crate) query: Vec<(&'a str, String)>,
    pub(crate) page: &'a PageArgs,
    pub(crate) header: &'a [&'a str],
}

impl List<'_> {
    /// Fetches and prints it.
    pub(crate) async fn print<T: DeserializeOwned>(
        self,
        cx: &mut Context<'_>,
        row: impl Fn(T) -> Vec<String>,
    ) -> Result<Exit, Error> {
        let (text, page) = self.fetch(cx).await?;
        if cx.json() {
            cx.console.json_text(&text)?;
            return Ok(Exit::Done);
        }
        let mut rows = Vec::with_capacity(page.items.len());
        for item in &page.items {
            let item: T = serde_json::from_str(item.get())
                .map_err(|error| Error::Strange { status: 200, detail: error.to_string() })?;
            rows.push(row(item));
        }
        if rows.is_empty() {
            cx.console.note("nothing here")?;
        } else {
            let text = table::rows(self.header, rows, cx.console.out_is_terminal);
            cx.console.data(&text)?;
        }
        if let Some(cursor) = &page.next_cursor {
            cx.console.note(&format!("there is more: --cursor {}, or --all", inline(cursor)))?;
        }
        Ok(Exit::Done)
    }

    /// The text to print with `--json`, and the items. One page is printed as it came; several become one.
    async fn fetch(&self, cx: &mut Context<'_>) -> Result<(String, Page<Box<RawValue>>), Error> {
        let client = cx.client()?;
        let mut cursor = self.page.cursor.clone();
        let mut seen = BTreeSet::new();
        let mut items = Vec::new();
        loop {
            let mut call = client.get(self.path)?;
            for (name, value) in &self.query {
                call = call.query(name, value);
            }
            if let Some(limit) = self.page.limit {
                call = call.query("limit", &limit.to_string());
            }
            if let Some(cursor) = &cursor {
                call = call.query("cursor", cursor);
            }
            let answer = call.send().await?;
            let page: Page<Box<RawValue>> = answer.parse()?;
            if !self.page.all {
                return Ok((answer.text, page));
            }
            items.extend(page.items);
            cursor = page.next_cursor;
            // A gateway that names the same page again would keep this going for ever.
            let again = cursor.as_ref().is_some_and(|cursor| !seen.insert(cursor.clone()));
            if cursor.is_none() || again || items.len() >= MAX_ITEMS {
                break;
            }
        }
        let page = Page { items, next_cursor: cursor };
        let tail = page.next_cursor.as_ref().map(|cursor| format!(",\"next_cursor\":{}", json!(cursor)));
        let items: Vec<&str> = page.items.iter().map(|item| item.get()).collect();
        let text = format!("{{\"items\":[{}]{}}}", items.join(","), tail.unwrap_or_default());
        Ok((text, page))
    }
}
