//! What an insider's agent can do over MCP: none of its tools changes who may do what.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{House, Insider, report};
use crate::attacks::stolen_token::{Credential, Response, send, text};

/// The gateway's own tools for agents.
const OWN: &[&str] = &["countersign__await"];
/// The sources of all other tools: those that the second owner connected, and those that compute, write files or group
/// actions. A new source must be considered here: its actions must not change authority.
const SOURCES: &[&str] = &["batch", "data", "files", "github", "linear", "mirror", "notes", "plain"];

impl House {
    /// Sends a message of the Model Context Protocol.
    async fn speak(&self, token: &str, method: &str, params: Value) -> anyhow::Result<Response> {
        let held = Credential::Token(token.to_owned());
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        send(&self.gateway, &held, (&Method::POST, "/mcp"), Some(&message)).await
    }

    /// The tools of an insider's agent, on all pages.
    async fn tools(&self, insider: &Insider) -> anyhow::Result<Vec<Value>> {
        let (mut all, mut params) = (Vec::new(), json!({}));
        loop {
            let page = self.speak(&insider.agent.token, "tools/list", params).await?;
            let tools = page.body["result"]["tools"].as_array();
            all.extend(tools.ok_or_else(|| anyhow::anyhow!("no tools: {}", page.text))?.iter().cloned());
            let Some(cursor) = page.body["result"]["nextCursor"].as_str() else { return Ok(all) };
            params = json!({ "cursor": cursor });
        }
    }

    async fn call(&self, insider: &Insider, name: &str, arguments: Value) -> anyhow::Result<Response> {
        let params = json!({ "name": name, "arguments": arguments });
        self.speak(&insider.agent.token, "tools/call", params).await
    }
}

/// Whether a tool is one of the gateway's own that only reads, or an action of a known source.
fn is_known(tool: &Value) -> bool {
    let name = text(&tool["name"]);
    if name.starts_with("countersign__") {
        return OWN.contains(&name.as_str()) && tool["annotations"]["readOnlyHint"] == true;
    }
    let action = text(&tool["_meta"]["countersign/action"]);
    action.split_once('.').is_some_and(|(source, _)| SOURCES.contains(&source))
}

#[tokio::test]
async fn no_tool_of_an_insiders_agent_changes_authority() -> anyhow::Result<()> {
    let house = House::set().await?;
    let (mut tried, mut wrong, mut controls) = (0, Vec::new(), 0);
    for insider in &house.insiders {
        // A person's own token: the interface is for agents only.
        tried += 1;
        let refused = house.speak(&insider.token, "tools/list", json!({})).await?;
        if refused.status != StatusCode::FORBIDDEN {
            wrong.push(format!("{}: {} {}", insider.name, refused.status, refused.text));
        }
        let tools = house.tools(insider).await?;
        for tool in &tools {
            tried += 1;
            let before = house.state().await?;
            let called = house.call(insider, &text(&tool["name"]), json!({})).await?;
            if !is_known(tool) || before != house.state().await? {
                wrong.push(format!("{} has {tool}, which answers {}", insider.name, called.text));
            }
        }
        let own = tools.iter().filter(|tool| OWN.contains(&text(&tool["name"]).as_str())).count();
        anyhow::ensure!(own == OWN.len(), "{own} of the gateway's own tools are listed");
        // The control: the agent works.
        let read = house.call(insider, "linear__list_issues", json!({})).await?;
        let is_done = read.status == StatusCode::OK && read.body["result"]["isError"] == false;
        anyhow::ensure!(is_done, "{}'s agent reads nothing: {} {}", insider.name, read.status, read.text);
        controls += 1;
    }
    testkit::tried(17, "control: an insider's agent calls a tool of a source", controls, controls);
    report("tools of an insider's agent over MCP", tried, &wrong);
    Ok(())
}
