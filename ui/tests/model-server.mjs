// A server that speaks Chat Completions, as far as a provider is tested: it calls the tool `note`, and answers in JSON.
import { createServer } from "node:http";

const NOTED = JSON.stringify({ word: "ready" });
const CALL = {
  content: null,
  tool_calls: [{ id: "call_1", type: "function", function: { name: "note", arguments: NOTED } }],
};

/** Listens at a port of its own. With a key, it wants it as a bearer token. `asked` are the models that were asked. */
export async function modelServer({ key = null, callsTools = true } = {}) {
  const state = { key, callsTools, asked: [] };
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

function reply(state, { model, tools = [] }) {
  state.asked.push(model);
  const isCall = state.callsTools && tools.some((tool) => tool.function.name === "note");
  return {
    id: `chatcmpl-${state.asked.length}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1_000),
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", ...(isCall ? CALL : { content: NOTED }) },
        finish_reason: isCall ? "tool_calls" : "stop",
      },
    ],
    usage: { prompt_tokens: 40, completion_tokens: 8, total_tokens: 48 },
  };
}
