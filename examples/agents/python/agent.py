"""An agent that acts through Countersign, with the official Python SDK of the Model Context Protocol.

Its only credential is the token of its session. The gateway decides what it may do and what needs approval.
"""

import asyncio
import json
import os
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

URL = os.environ.get("COUNTERSIGN_URL", "http://127.0.0.1:7878") + "/mcp"
TOKEN = os.environ["COUNTERSIGN_TOKEN"]


async def act(client: Client, tool: str, arguments: dict) -> dict:
    """Calls a tool. If the call needs approval, waits for the result."""
    result = await client.call_tool(tool, arguments)
    while (result.meta or {}).get("countersign/status") in ("pending", "approved", "executing"):
        waiting = result.structured_content
        print(f"… {waiting['hint']}", flush=True)
        result = await client.call_tool("countersign__await", {"invocation": waiting["invocation"]})
    if result.is_error:
        problem = result.structured_content
        sys.exit(f"{tool}: {problem['code']}: {problem.get('detail', '')}\n{problem['hint']}")
    return result.structured_content


async def main(title: str) -> None:
    # Waiting for a person takes up to a minute at a time.
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=90)
    async with http, Client(streamable_http_client(URL, http_client=http)) as client:
        print("connected, protocol", client.protocol_version)
        tools = (await client.list_tools()).tools
        print("tools:", ", ".join(tool.name for tool in tools))

        issues = await act(client, "linear__list_issues", {})
        print("issues:", json.dumps(issues))

        created = await act(client, "linear__create_issue", {"team_id": "team-1", "title": title})
        print("created:", json.dumps(created))


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "Written by an agent"))
