//! Guides to sources, as MCP resources.

use model::SourceSlug;
use rmcp::{
    ErrorData,
    model::{ListResourcesResult, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents},
};

use super::visit::{Visit, failed};

const PREFIX: &str = "countersign://guide/";
const MARKDOWN: &str = "text/markdown";

/// Lists the guides of all connected sources.
pub(crate) async fn list(visit: &Visit) -> Result<ListResourcesResult, ErrorData> {
    let available = visit.app.oversight.available(visit.org, visit.session).await.map_err(failed)?;
    let connected = available.sources.iter().filter(|source| source.connected);
    let guides = connected.map(|source| {
        let mut guide = Resource::new(format!("{PREFIX}{}", source.slug), source.slug.clone());
        guide.title = Some(format!("Guide to {}", source.slug));
        guide.description = Some(format!("Read this before using the tools of {}.", source.slug));
        guide.mime_type = Some(MARKDOWN.to_owned());
        guide
    });
    Ok(ListResourcesResult::with_all_items(guides.collect()))
}

/// Returns a guide.
pub(crate) async fn read(visit: &Visit, uri: &str) -> Result<ReadResourceResponse, ErrorData> {
    let unknown = || ErrorData::resource_not_found("unknown guide", None);
    let source = uri.strip_prefix(PREFIX).and_then(|source| source.parse::<SourceSlug>().ok());
    let source = source.ok_or_else(unknown)?;
    let guide = visit.app.oversight.guide(visit.org, visit.session, &source).await.map_err(failed)?;
    let text = guide.ok_or_else(unknown)?;
    let contents = ResourceContents::TextResourceContents {
        uri: uri.to_owned(),
        mime_type: Some(MARKDOWN.to_owned()),
        text,
        meta: None,
    };
    Ok(ReadResourceResult::new(vec![contents]).into())
}
