// The form of a provider: what is typed, what is wrong with it, and the request that it becomes.
import {
  type Authentication,
  authenticationError,
  authenticationOf,
  authOf,
  isWebAddress,
} from "../catalog/connect/connect";
import { nanoUsd, typedPrice } from "./price";
import type { Preset, Price, Provider, ProviderRequest } from "./queries";

export interface ModelDraft {
  name: string;
  context: string;
  max_output: string;
  /** USD per million tokens. */
  input: string;
  output: string;
  /** The organization's own price as it is stored. The parts that the form does not show are kept. */
  stored: Price | null;
}

export interface ProviderDraft {
  /** For a new provider. */
  preset: string | null;
  name: string;
  base_url: string;
  authentication: Authentication;
  models: ModelDraft[];
  may_see_private: boolean;
  is_free: boolean;
}

export const NO_MODEL: ModelDraft = { name: "", context: "", max_output: "", input: "", output: "", stored: null };

const secretName = (provider: string) => `${provider}-key`;

/** A new provider as the preset says. Models that were typed before are kept. */
export function draftOf(preset: Preset, models: ModelDraft[] = [NO_MODEL]): ProviderDraft {
  return {
    preset: preset.name,
    name: preset.name,
    base_url: preset.base_url ?? "",
    authentication: {
      method: preset.header != null ? "header" : preset.needs_secret ? "bearer" : "none",
      header: preset.header ?? "",
      secret: secretName(preset.name),
    },
    models,
    may_see_private: false,
    is_free: preset.is_free,
  };
}

/** The name of the secret follows the name of the provider until it is another one. */
export function renamed(draft: ProviderDraft, name: string): ProviderDraft {
  const { authentication } = draft;
  const secret = authentication.secret === secretName(draft.name) ? secretName(name) : authentication.secret;
  return { ...draft, name, authentication: { ...authentication, secret } };
}

export function draftFrom(provider: Provider): ProviderDraft {
  const authentication = authenticationOf(provider.auth);
  return {
    preset: null,
    name: provider.provider,
    base_url: provider.base_url,
    authentication: { ...authentication, secret: authentication.secret || secretName(provider.provider) },
    models: provider.models.map(({ name, context, max_output, price, price_from }) => {
      const stored = price_from === "organization" ? (price ?? null) : null;
      return {
        name,
        context: String(context),
        max_output: String(max_output),
        input: stored === null ? "" : typedPrice(stored.input),
        output: stored === null ? "" : typedPrice(stored.output),
        stored,
      };
    }),
    may_see_private: provider.may_see_private,
    is_free: provider.is_free,
  };
}

/** Whether the stored price has parts that the form does not show. */
export function hasMorePrices({ stored }: ModelDraft): boolean {
  return (
    stored !== null && (stored.cache_read != null || stored.cache_write != null || (stored.tiers ?? []).length > 0)
  );
}

/** `taken` are the names of the other providers. */
export function draftError(draft: ProviderDraft, taken: readonly string[]): string | null {
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(draft.name))
    return (
      "The name must start with a lowercase letter and contain only lowercase letters, digits, “_” and “-”, " +
      "64 characters at most."
    );
  if (taken.includes(draft.name))
    return `A provider with this name already exists: ${draft.name}. Choose another name.`;
  if (!isWebAddress(draft.base_url))
    return "The URL must start with https:// (or http:// where the operator allows it).";
  const names = draft.models.map(({ name }) => name.trim());
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return (
    authenticationError(draft.authentication) ??
    draft.models.map(modelError).find((error) => error !== null) ??
    (twice === undefined ? null : `The model ${twice} is named twice.`)
  );
}

function modelError(model: ModelDraft): string | null {
  const name = model.name.trim();
  if (name === "") return "Each model needs a name.";
  if (name.length > 200 || !/^[!-~]+$/.test(name) || /["'<>`]/.test(name))
    return `The name of the model ${name} must have at most 200 characters, without spaces and quotes.`;
  const [context, most] = [sizeOf(model.context), sizeOf(model.max_output)];
  if (context !== null && !(context >= 1_000 && context <= 100_000_000))
    return `${name}: the context must be a whole number of tokens, at least 1000.`;
  if (most !== null && !(most >= 16 && most <= (context ?? 100_000_000)))
    return `${name}: the output must be a whole number of tokens, from 16 to the context.`;
  if ((model.input.trim() === "") !== (model.output.trim() === ""))
    return `${name}: enter the prices of input and output, or none of them.`;
  if (model.input.trim() !== "" && [model.input, model.output].some((price) => nanoUsd(price) === null))
    return `${name}: a price is a number of USD with at most three decimals, such as 0.075.`;
  return null;
}

/** null if nothing is typed, NaN if it is no whole number. */
function sizeOf(typed: string): number | null {
  const text = typed.trim();
  if (text === "") return null;
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

/** A draft without an error, as it is sent. */
export function requestOf(draft: ProviderDraft): ProviderRequest {
  return {
    ...(draft.preset !== null && { preset: draft.preset }),
    base_url: draft.base_url,
    auth: authOf(draft.authentication),
    models: draft.models.map(modelRequest),
    may_see_private: draft.may_see_private,
    is_free: draft.is_free,
  };
}

function modelRequest(model: ModelDraft) {
  const [context, max_output] = [sizeOf(model.context), sizeOf(model.max_output)];
  const price = priceOf(model);
  return {
    name: model.name.trim(),
    ...(context !== null && { context }),
    ...(max_output !== null && { max_output }),
    ...(price !== null && { price }),
  };
}

function priceOf({ input, output, stored }: ModelDraft): Price | null {
  const [typedInput, typedOutput] = [nanoUsd(input), nanoUsd(output)];
  if (typedInput === null || typedOutput === null) return null;
  return { ...stored, input: typedInput, output: typedOutput };
}

/** Only what differs: absent fields stay as they are, also where somebody else has changed them meanwhile. */
export function changesOf(before: ProviderDraft, after: ProviderDraft): ProviderRequest {
  const was = new Map(Object.entries(requestOf(before)));
  return Object.fromEntries(
    Object.entries(requestOf(after)).filter(([name, value]) => JSON.stringify(was.get(name)) !== JSON.stringify(value)),
  );
}

/** Whether a second owner must agree, where the organization wants two: prompts hold whatever steps have read. */
export function isLooser(before: ProviderDraft | null, after: ProviderDraft): boolean {
  if (!after.may_see_private) return false;
  return before?.may_see_private !== true || originOf(before.base_url) !== originOf(after.base_url);
}

function originOf(url: string): string {
  return isWebAddress(url) ? new URL(url).origin : "";
}
