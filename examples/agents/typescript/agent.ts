// An agent that acts through Countersign, with the official TypeScript SDK of the Model Context Protocol.
//
// Its only credential is the token of its session. The gateway decides what it may do and what needs approval.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const url = new URL("/mcp", process.env.COUNTERSIGN_URL ?? "http://127.0.0.1:7878");
const headers = { Authorization: `Bearer ${process.env.COUNTERSIGN_TOKEN}` };
const waiting = ["pending", "approved", "executing"];

/** Calls a tool. If the call needs approval, waits for the result. */
async function act(client: Client, name: string, args: Record<string, unknown>): Promise<any> {
  let result: any = await client.callTool({ name, arguments: args });
  while (waiting.includes(result._meta?.["countersign/status"])) {
    const { invocation, hint } = result.structuredContent;
    console.log(`… ${hint}`);
    result = await client.callTool({ name: "countersign__await", arguments: { invocation } });
  }
  if (result.isError) {
    const { code, detail, hint } = result.structuredContent;
    throw new Error(`${name}: ${code}: ${detail ?? ""}\n${hint}`);
  }
  return result.structuredContent;
}

const client = new Client(
  { name: "example-agent", version: "1.0.0" },
  { versionNegotiation: { mode: "auto" } }, // 2026-07-28 where the server speaks it
);
const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
await client.connect(transport);
console.log("connected, protocol", transport.protocolVersion);

const { tools } = await client.listTools();
console.log("tools:", tools.map((tool) => tool.name).join(", "));

console.log("issues:", JSON.stringify(await act(client, "linear__list_issues", {})));

const title = process.argv[2] ?? "Written by an agent";
const created = await act(client, "linear__create_issue", { team_id: "team-1", title });
console.log("created:", JSON.stringify(created));

await client.close();
