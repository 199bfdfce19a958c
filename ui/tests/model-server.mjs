// A server that speaks Chat Completions, as far as a provider is tested: it calls the tool `note`, and answers in JSON.
// A script says what it replies instead, so that a step of an automation can be performed.
import { createServer } from "node:http";

const NOTED = JSON.stringify({ word: "ready" });

/**
 * Listens at a port of its own. With a key, it wants it as a bearer token. `asked` are the models that were asked.
 *
 * `script` are the next replies, first to last: `{ text: "…", calls: [["linear__list_issues", {}]] }`, both optional.
 * `prompts` are the requests that were answered from it.
 */
export async function modelServer({ key = null, callsTools = true } = {}) {
  const state = { key, callsTools, asked: [], script: [], prompts: [] };
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => (text += part));
    request.on("end", () => {
      const answer = (status, body) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(body));
      };
      if (state.key !== null && request.headers.authorization !== `Bearer ${state.key}`)
        return answer(401, { error: { message: "Incorrect API key provided.", type: "invalid_request_error" } });
      if (request.method !== "POST" || request.url !== "/v1/chat/completions")
        return answer(404, { error: { message: `There is no ${request.url}.`, type: "invalid_request_error" } });
      return answer(200, reply(state, JSON.parse(text)));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const stop = () => new Promise((done) => server.close(done) && server.closeAllConnections());
  return { url: `http://127.0.0.1:${server.address().port}/v1`, state, stop };
}

function reply(state, prompt) {
  state.asked.push(prompt.model);
  const next = state.script.shift();
  if (next !== undefined) state.prompts.push(prompt);
  const { text = null, calls = [] } = next ?? asTested(state, prompt);
  const number = state.asked.length;
  const tool_calls = calls.map(([name, params], index) => ({
    id: `call_${number}_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(params) },
  }));
  return {
    id: `chatcmpl-${number}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1_000),
    model: prompt.model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, ...(calls.length > 0 && { tool_calls }) },
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage: { prompt_tokens: 1_200, completion_tokens: 80, total_tokens: 1_280 },
  };
}

/** What the test of a provider asks for. */
function asTested({ callsTools }, { tools = [] }) {
  const isCall = callsTools && tools.some((tool) => tool.function.name === "note");
  return isCall ? { calls: [["note", JSON.parse(NOTED)]] } : { text: NOTED };
}
