// What is known about a provider, in words.
import type { Tone } from "../ui/Bits";
import type { Model, Provider } from "./queries";

export interface State {
  name: string;
  tone: Tone;
  /** The reason. It may be the text of the server. */
  text: string;
}

/** In the order of what must be mended first. */
export function stateOf({ enabled, has_credential, auth, tested }: Provider): State {
  if (!enabled) return { name: "disabled", tone: "plain", text: "Steps that ask its models fail." };
  if (!has_credential) return { name: "no credential", tone: "bad", text: missingText(auth) };
  if (tested == null) return { name: "not tested", tone: "plain", text: "A test finds out what its models can do." };
  if (tested.problem != null) return { name: "does not answer", tone: "bad", text: tested.problem };
  if (!tested.calls_tools)
    return {
      name: "calls no tools",
      tone: "warn",
      text: tested.answers_in_schema
        ? "The model answered in a schema, but did not call the tool that it was asked to call."
        : "The model did not call the tool that it was asked to call, and its answer did not fit the schema.",
    };
  if (!tested.answers_in_schema)
    return {
      name: "answers in no schema",
      tone: "warn",
      text: "The model called a tool, but its answer did not fit the schema.",
    };
  return { name: "ready", tone: "good", text: "The model called a tool and answered in a schema." };
}

function missingText(auth: Provider["auth"]): string {
  const secret = auth.kind === "none" ? "" : ` “${auth.secret}”`;
  return `The secret${secret} does not exist, or may not be sent to this provider. Choose Edit and enter the key.`;
}

const WIRES: Record<string, string> = {
  anthropic_messages: "Messages",
  openai_chat: "Chat Completions",
  openai_responses: "Responses",
};

export function wireText(wire: string): string {
  return WIRES[wire] ?? wire;
}

const PRICE_FROM: Record<string, string> = {
  organization: "organization",
  table: "bundled table",
  free: "free of charge",
};

export function priceFromText({ price_from }: Model): string {
  return price_from == null ? "" : (PRICE_FROM[price_from] ?? price_from);
}
