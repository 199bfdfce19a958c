//! The result of a tool in one form, whatever mixture of blocks the server sent.

use model::ErrorClass;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Value, json};

use crate::{Outcome, SourceError, limits::mcp::MOST_DATA};

/// The outcome of a call. A tool that returns an error has refused the call.
pub(super) fn outcome(result: &CallToolResult) -> Result<Outcome, SourceError> {
    let blocks: Vec<Value> = result.content.iter().map(block).collect();
    if result.is_error == Some(true) {
        let words: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
        let words: String = words.join(" ").chars().filter(|c| !c.is_control()).collect();
        // This is the server's own statement about a call that it answered. It is trusted only in that the call has
        // ended: an action of the class `once` is not repeated because of it.
        return Err(SourceError::sent(
            ErrorClass::Invalid,
            format!("the tool answered with an error: {words}"),
        ));
    }
    // Readers must know that anybody may have written this.
    let mut output = json!({ "untrusted": true });
    match &result.structured_content {
        Some(structured) => {
            let repeated = blocks.len() == 1 && says(&blocks[0], structured);
            output["structured"] = structured.clone();
            if !repeated && !blocks.is_empty() {
                output["content"] = blocks.into();
            }
        }
        None => output["content"] = blocks.into(),
    }
    Ok(Outcome::new(output))
}

/// Whether a block repeats the structured content as text.
fn says(block: &Value, structured: &Value) -> bool {
    let text = block["text"].as_str();
    text.and_then(|text| serde_json::from_str::<Value>(text).ok()).as_ref() == Some(structured)
}

fn block(block: &ContentBlock) -> Value {
    match block {
        ContentBlock::Text(text) => json!({ "type": "text", "text": text.text }),
        ContentBlock::Image(image) => data("image", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => data("audio", &audio.mime_type, &audio.data),
        ContentBlock::ResourceLink(link) => json!({ "type": "link", "uri": link.uri, "name": link.name }),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => {
                json!({ "type": "resource", "uri": uri, "text": text })
            }
            ResourceContents::BlobResourceContents { uri, blob, mime_type, .. } => {
                let mut found = data("resource", mime_type.as_deref().unwrap_or_default(), blob);
                found["uri"] = json!(uri);
                found
            }
            _ => json!({ "type": "unknown" }),
        },
        _ => json!({ "type": "unknown" }),
    }
}

fn data(kind: &str, mime_type: &str, base64: &str) -> Value {
    let mut found = json!({ "type": kind, "mime_type": mime_type, "base64_length": base64.len() });
    if base64.len() <= MOST_DATA {
        found["base64"] = json!(base64);
    }
    found
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(result: &str, expected: Expect) {
        let result: CallToolResult = serde_json::from_str(result).unwrap();
        let said = match outcome(&result) {
            Ok(outcome) => outcome.output.to_string(),
            Err(error) => format!("{:?} {} {}", error.class, error.sent, error.message),
        };
        expected.assert_eq(&said);
    }

    #[test]
    fn every_mixture_of_blocks_has_one_form() {
        check(
            r#"{"content":[{"type":"text","text":"hi"}]}"#,
            expect![[r#"{"untrusted":true,"content":[{"type":"text","text":"hi"}]}"#]],
        );
        check(
            r#"{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}"#,
            expect![[r#"{"untrusted":true,"structured":{"a":1}}"#]],
        );
        check(
            r#"{"content":[{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"resource","resource":{"uri":"file:///x","text":"t"}}],"structuredContent":2}"#,
            expect![[
                r#"{"untrusted":true,"structured":2,"content":[{"type":"image","mime_type":"image/png","base64_length":4,"base64":"AAAA"},{"type":"resource","uri":"file:///x","text":"t"}]}"#
            ]],
        );
        check(
            r#"{"content":[{"type":"text","text":"no\u0007 such file"}],"isError":true}"#,
            expect!["Invalid true the tool answered with an error: no such file"],
        );
        check(r#"{"content":[]}"#, expect![[r#"{"untrusted":true,"content":[]}"#]]);
    }
}
