//! docs/problems.md as a page: where the `type` of every problem leads.

use std::sync::LazyLock;

use axum::{
    http::header,
    response::{IntoResponse as _, Response},
};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// What the page shows: one heading per code.
pub(super) const SOURCE: &str = include_str!("../../../../docs/problems.md");

/// Where the page is; the code of a problem is the fragment.
pub(super) const PATH: &str = "/docs/problems";

/// The page needs no script and loads nothing.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'";

/// Show an explanation of every problem code as a web page.
#[utoipa::path(
    get, path = "/docs/problems", tag = "operations", security(()),
    responses((status = 200, body = String, content_type = "text/html"))
)]
pub(crate) async fn get_docs_problems() -> Response {
    static PAGE: LazyLock<String> =
        LazyLock::new(|| include_str!("../../assets/problems.html").replace("{{content}}", &render(SOURCE)));
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (headers, PAGE.as_str()).into_response()
}

/// Markdown as HTML, where the id of each second-level heading is its text, so that a fragment finds it.
fn render(markdown: &str) -> String {
    let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    for start in 0..events.len() {
        if !matches!(events[start], Event::Start(Tag::Heading { level: HeadingLevel::H2, .. })) {
            continue;
        }
        let inside =
            events[start + 1..].iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
        let text: String = inside
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
                _ => None,
            })
            .collect();
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
            *id = Some(CowStr::from(text.trim().replace(' ', "-")));
        }
    }
    // Nothing but Markdown: HTML in the source is shown as text.
    let events = events.into_iter().map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        other => other,
    });
    let mut page = String::new();
    html::push_html(&mut page, events);
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::codes;

    #[test]
    fn the_type_of_every_problem_is_an_anchor_of_the_page() {
        let page = render(SOURCE);
        for known in codes::ALL {
            assert!(page.contains(&format!("<h2 id=\"{}\">", known.code)), "{} is no anchor", known.code);
        }
    }

    #[test]
    fn html_in_the_source_is_text() {
        assert_eq!(render("a <b>c</b>").trim(), "<p>a &lt;b&gt;c&lt;/b&gt;</p>");
    }
}
