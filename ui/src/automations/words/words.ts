// What a model is asked for a definition, and what is known about its answer.
import { costText, usd } from "../../models/price";
import type { Provider } from "../../models/queries";
import { number } from "../../text/number";
import type { Fields } from "../definition";
import type { Proposal } from "../queries";

/** The gateway takes no more characters. */
export const MOST_WORDS = 4_000;

export interface Choice {
  provider: string;
  model: string | undefined;
}

/** Whether there is something to choose. Otherwise the gateway takes the only one. */
export function hasChoice(providers: readonly Provider[]): boolean {
  return providers.length > 1 || (providers[0]?.models.length ?? 0) > 1;
}

/** The choice, or the first one where it is not listed. */
export function listedChoice(providers: readonly Provider[], choice: Choice | null): Choice | null {
  const provider = providers.find((each) => each.provider === choice?.provider) ?? providers[0];
  if (provider === undefined || !hasChoice(providers)) return null;
  const model = provider.models.find((each) => each.name === choice?.model) ?? provider.models[0];
  return { provider: provider.provider, model: model?.name };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
}

/** The definition that is to be changed; undefined if there is nothing in it yet. */
export function baseOf(definition: Fields): Fields | undefined {
  const isStarted = Object.entries(definition).some(([name, value]) => name !== "schema_version" && !isEmpty(value));
  return isStarted ? definition : undefined;
}

interface Wish {
  words: string;
  definition: Fields;
  automation: string | undefined;
  space: string | undefined;
  choice: Choice | null;
  zone: string | undefined;
}

export function requestOf({ words, definition, automation, space, choice, zone }: Wish): Fields {
  return {
    words: words.trim(),
    definition: baseOf(definition),
    automation,
    // An automation has its space already.
    space: automation === undefined ? space : undefined,
    provider: choice?.provider,
    model: choice?.model,
    // Browsers that do not know the time zone say so with a name that the gateway refuses.
    time_zone: zone === "Etc/Unknown" ? undefined : zone,
  };
}

/** Whether the editor has content that would be lost: neither its initial one, nor an earlier proposal. */
export function mustAsk(text: string, replaceable: readonly (string | null)[]): boolean {
  return !replaceable.includes(text);
}

export function askedText({ turns, cost_usd }: Pick<Proposal, "turns" | "cost_usd">): string {
  // Why there is no answer is said beside it.
  if (turns === 0) return "Nothing is saved.";
  const cost = usd(cost_usd);
  const price = cost === null ? "at an unknown cost" : `for ${costText(cost)}`;
  const times = turns === 1 ? "once" : `${number(turns)} times`;
  return `The model was asked ${times}, ${price}. Nothing is saved yet.`;
}
