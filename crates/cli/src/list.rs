//! Lists: one page, or all pages up to a limit.

use std::collections::BTreeSet;

use api::Page;
use serde::de::DeserializeOwned;
use serde_json::{json, value::RawValue};

use crate::{Context, error::Error, exit::Exit, table, visible::inline};

/// The limit of `--all`, because all items are in memory. A script can read more with `--cursor`.
const MAX_ITEMS: usize = 10_000;

#[derive(Debug, Default, clap::Args)]
pub struct PageArgs {
    /// Items per page (1 to 100)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    limit: Option<u32>,
    /// Cursor of the page, from the end of the previous page
    #[arg(long)]
    cursor: Option<String>,
    /// Fetch all pages (at most 10000 items)
    #[arg(long)]
    all: bool,
}

/// A list of the gateway, and how it is printed.
pub(crate) struct List<'a> {
    pub(crate) path: &'a [&'a str],
    pub(crate) query: Vec<(&'a str, String)>,
    pub(crate) page: &'a PageArgs,
    pub(crate) header: &'a [&'a str],
}

impl List<'_> {
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
                .map_err(|error| Error::InvalidResponse { status: 200, detail: error.to_string() })?;
            rows.push(row(item));
        }
        if rows.is_empty() {
            cx.console.note("no results")?;
        } else {
            let text = table::rows(self.header, rows, cx.console.out_is_terminal);
            cx.console.data(&text)?;
        }
        if let Some(cursor) = &page.next_cursor {
            cx.console.note(&format!("more results: use --cursor {} or --all", inline(cursor)))?;
        }
        Ok(Exit::Done)
    }

    /// The text to print with `--json`, and the items. One page stays unchanged; several become one document.
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
            // A gateway that repeats a cursor would cause an endless loop.
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
