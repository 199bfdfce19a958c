// Steps that a model performs: what their form offers, and what is typed into it.
import type { Name, Names } from "../../../form/insert";
import { priceText } from "../../../models/price";
import type { Model, Provider } from "../../../models/queries";
import { AGENT_TASK, type Fields, put, text } from "../../definition";
import type { Action } from "../../queries";
import type { ActionOption } from "../options";

/** What the gateway assumes where nothing is typed. */
export const USUAL = { max_turns: 12, max_output_tokens: 4_000, budget_usd: 0.5 };

export const AGENT_OPTION: ActionOption = {
  action: AGENT_TASK,
  title: "Model (agent task)",
  description: "A model works towards a goal, with the actions that you choose.",
};

/** The step with another action. The parameters of an action mean nothing to a model, and the reverse. */
export function withAction(step: Fields, action: string): Fields {
  const isOther = (action === AGENT_TASK) !== (text(step.action) === AGENT_TASK);
  return { ...step, action, ...(isOther ? { config: {} } : {}) };
}

const sourceOf = (action: string) => action.split(".")[0] ?? "";
const allOf = (source: string) => `${source}.*`;

/** All actions of a source, and each action, except what is chosen already. */
export function toolOptions(actions: readonly Action[], chosen: readonly string[]): ActionOption[] {
  const usable = actions.filter(({ action }) => sourceOf(action) !== "model");
  const sources = [...new Set(usable.map(({ action }) => sourceOf(action)))];
  const whole = sources.map((source) => ({ action: allOf(source), description: `All actions of ${source}` }));
  return [...whole, ...usable].filter(
    ({ action }) => !chosen.includes(action) && !chosen.includes(allOf(sourceOf(action))),
  );
}

/** The tools with one more. All actions of a source include those that were chosen one by one. */
export function withTool(tools: readonly unknown[], tool: string): unknown[] {
  const isIncluded = (each: unknown) => tool.endsWith(".*") && text(each).startsWith(tool.slice(0, -1));
  return [...tools.filter((each) => each !== tool && !isIncluded(each)), tool];
}

/** Only facts about the run: others may have written everything else. */
export function goalNames({ groups, filters }: Names): Names {
  const isFact = ({ write }: Name) => write.startsWith("run.") && !write.startsWith("run.error.");
  const facts = groups.map((group) => ({ ...group, names: group.names.filter(isFact) }));
  return { groups: facts.filter((group) => group.names.length > 0), filters };
}

/** The config with another provider. Its first model is chosen, unless it has one with the same name. */
export function withProvider(config: Fields, name: string, providers: readonly Provider[]): Fields {
  const models = providers.find(({ provider }) => provider === name)?.models ?? [];
  const model = models.find((each) => each.name === config.model) ?? models[0];
  return put(put(config, "provider", name === "" ? undefined : name), "model", model?.name);
}

export interface ModelNote {
  text: string;
  isBad: boolean;
}

/** What tokens of a model cost, and whether a budget in USD can hold. */
export function priceNote({ price, price_from }: Model, hasBudget: boolean): ModelNote {
  if (price == null)
    return {
      text: hasBudget
        ? "The price of this model is unknown, so a budget in USD is refused. Set its price, or choose no limit."
        : "The price of this model is unknown, so its cost is not counted.",
      isBad: hasBudget,
    };
  if (price_from === "free") return { text: "Free of charge.", isBad: false };
  const [input, output] = [priceText(price.input), priceText(price.output)];
  return { text: `${input} input and ${output} output per million tokens.`, isBad: false };
}

/** The number that was typed; anything else as it is, so that the gateway says what is wrong with it. */
export function typedNumber(typed: string): number | string | undefined {
  const trimmed = typed.trim();
  if (trimmed === "") return undefined;
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed;
}
