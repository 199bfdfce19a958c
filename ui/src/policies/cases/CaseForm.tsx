// The form of a case.
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { type Json, parse } from "../../api/json";
import { write } from "../../api/write";
import type { Mode } from "../../catalog/queries";
import { isFields } from "../../text/rows";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Loading } from "../../ui/Bits";
import { Checkbox, Field } from "../../ui/Form";
import { ListField } from "../ListField";
import { policies, policySchema } from "../queries";
import type { Case, CaseRequest, PolicyField } from "../types";
import { readFact } from "./caseText";

const JsonEditor = lazy(async () => ({ default: (await import("../../form/json/JsonEditor")).JsonEditor }));

interface Props {
  one: Case;
  isNew: boolean;
  onChange: (next: Case) => void;
  /** What is wrong with the parameters or facts as typed; null if nothing is. */
  onBroken: (problem: string | null) => void;
}

/** What is wrong with each part as typed. */
interface Broken {
  params: string | null;
  facts: string | null;
}

const EXPECTED: readonly (readonly [Mode, string])[] = [
  ["allow", "allowed: no policy holds"],
  ["require_approval", "needs approval"],
  ["deny", "denied"],
];
const NONE: [] = [];

export function CaseForm({ one, isNew, onChange, onBroken }: Props) {
  const schema = useQuery(policySchema).data;
  const all = useQuery(policies).data ?? [];
  const { request } = one;
  // A person who empties the last field still needs it.
  const [isOpen] = useState(() => hasMore(request));
  const [broken, setBroken] = useState<Broken>({ params: null, facts: null });
  const report = (part: Partial<Broken>) => {
    const next = { ...broken, ...part };
    setBroken(next);
    onBroken(next.params ?? next.facts);
  };
  const set = (next: Partial<CaseRequest>) => onChange({ ...one, request: { ...request, ...next } });
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {isNew && (
        <Field name="Name" hint="Lowercase letters, digits, - and _">
          <input
            className="input"
            value={one.name}
            onChange={(event) => onChange({ ...one, name: event.target.value })}
            autoFocus
            placeholder="over-the-cap"
            spellCheck={false}
          />
        </Field>
      )}
      <Field name="Action">
        <input
          className="input font-mono"
          list="case-actions"
          value={request.action}
          onChange={(event) => set({ action: event.target.value })}
          spellCheck={false}
          placeholder="bank.transfer"
        />
      </Field>
      <datalist id="case-actions">
        {schema?.actions.map(({ address }) => (
          <option key={address} value={address} />
        ))}
      </datalist>
      <Params request={request} onChange={(params) => set({ params })} onBroken={(params) => report({ params })} />
      <Field name="Expected decision" hint="What the policies alone give.">
        <select
          className="input"
          value={one.expect}
          onChange={(event) => onChange({ ...one, expect: event.target.value as Mode })}
        >
          {EXPECTED.map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <ListField
        name="Policies that must hold"
        hint="Optional. Exactly these; empty for any."
        values={one.policies ?? []}
        known={all.map(({ name }) => name)}
        onChange={(next) => onChange({ ...one, policies: next.length === 0 ? null : next })}
      />
      <ListField
        name="Evaluate only these policies"
        hint="Optional. Also observing ones. Empty for all enforced policies."
        values={one.only ?? []}
        known={all.map(({ name }) => name)}
        onChange={(only) => onChange({ ...one, only })}
      />
      <FactValues
        request={request}
        facts={schema?.facts ?? []}
        onChange={(history) => set({ history })}
        onBroken={(facts) => report({ facts })}
      />
      <details className="space-y-4 md:col-span-2" open={isOpen}>
        <summary className="cursor-pointer font-medium">Space, agent and time</summary>
        <div className="mt-3 grid gap-4 md:grid-cols-2">
          <Field name="Space">
            <select
              className="input"
              value={request.space === "main" ? "" : (request.space ?? "")}
              onChange={(event) => set({ space: event.target.value === "" ? null : event.target.value })}
            >
              <option value="">main</option>
              {schema?.spaces
                .filter((each) => each !== "main")
                .map((each) => (
                  <option key={each} value={each}>
                    {plain(each)}
                  </option>
                ))}
            </select>
          </Field>
          <Field name="Agent">
            <input
              className="input"
              value={request.agent ?? ""}
              onChange={(event) => set({ agent: event.target.value === "" ? null : event.target.value })}
            />
          </Field>
          <Field name="Time" hint="In the time zone of the organization. Empty for noon on a Wednesday.">
            <input
              className="input font-mono"
              value={request.now ?? ""}
              onChange={(event) => set({ now: event.target.value === "" ? null : event.target.value })}
              spellCheck={false}
              placeholder="2026-11-18T10:00"
            />
          </Field>
          <Field name="Decision before policies" hint="Policies read it as context.asked.">
            <select
              className="input"
              value={request.asked === "allow" ? "" : (request.asked ?? "")}
              onChange={(event) => set({ asked: event.target.value === "" ? null : (event.target.value as Mode) })}
            >
              <option value="">allowed</option>
              <option value="require_approval">needs approval</option>
              <option value="deny">denied</option>
            </select>
          </Field>
          <Checkbox
            name="Unattended"
            hint="No person is present in the session."
            checked={request.unattended === true}
            onChange={(unattended) => set({ unattended })}
          />
        </div>
      </details>
    </div>
  );
}

const hasMore = ({ space, agent, now, asked, unattended }: CaseRequest): boolean =>
  space != null || agent != null || now != null || asked != null || unattended === true;

interface ParamsProps {
  request: CaseRequest;
  onChange: (params: NonNullable<CaseRequest["params"]>) => void;
  onBroken: (problem: string | null) => void;
}

function Params({ request, onChange, onBroken }: ParamsProps) {
  const [text, setText] = useState(() => write(request.params ?? {}, 2));
  const [broken, setBroken] = useState<string | null>(null);
  const change = (next: string) => {
    setText(next);
    const read = readParams(next);
    const problem = "problem" in read ? read.problem : null;
    setBroken(problem);
    onBroken(problem === null ? null : `The parameters are invalid: ${problem}`);
    if ("value" in read) onChange(read.value);
  };
  return (
    <div className="flex flex-col gap-1 md:col-span-2">
      <span className="font-medium">Parameters</span>
      <div className="h-40">
        <Suspense fallback={<Loading what="the editor" />}>
          <JsonEditor label="Parameters as JSON" text={text} onChange={change} problems={NONE} broken={broken} />
        </Suspense>
      </div>
    </div>
  );
}

function readParams(text: string): { value: NonNullable<CaseRequest["params"]> } | { problem: string } {
  try {
    const value = parse(text);
    return isFields(value)
      ? { value: value as NonNullable<CaseRequest["params"]> }
      : { problem: "Expected a JSON object." };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

interface FactValuesProps {
  request: CaseRequest;
  facts: readonly PolicyField[];
  onChange: (history: NonNullable<CaseRequest["history"]>) => void;
  onBroken: (problem: string | null) => void;
}

/** A fact may be named like a part of every object. */
const own = <T,>(all: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined;

const isWrong = (typed: string | undefined): boolean =>
  typed !== undefined && typed.trim() !== "" && readFact(typed) === undefined;

function FactValues({ request, facts, onChange, onBroken }: FactValuesProps) {
  const history = request.history ?? {};
  const [typed, setTyped] = useState<Record<string, string>>({});
  if (facts.length === 0) return null;
  const set = (name: string, value: Json | undefined) => {
    const { [name]: _, ...rest } = history;
    onChange(value === undefined ? rest : { ...rest, [name]: value });
  };
  const type = (name: string, text: string) => {
    const next = { ...typed, [name]: text };
    setTyped(next);
    set(name, readFact(text));
    const wrong = facts.find(({ path }) => isWrong(own(next, path)));
    onBroken(wrong === undefined ? null : `The value of ${wrong.path} must be a whole number.`);
  };
  const shown = (name: string) => own(typed, name) ?? String(own(history, name) ?? "");
  return (
    <fieldset className="space-y-2 md:col-span-2">
      <legend className="font-medium">Facts</legend>
      <p className="text-xs text-faint">What happened before. A fact without a value is 0 or no.</p>
      <div className="grid gap-3 md:grid-cols-2">
        {facts.map(({ path: name, type: kind, words }) => (
          <Field key={name} name={name} hint={<Line text={words} />}>
            {kind === "Bool" ? (
              <select
                className="input"
                value={own(history, name) === true ? "true" : ""}
                onChange={(event) => set(name, event.target.value === "true" ? true : undefined)}
              >
                <option value="">no</option>
                <option value="true">yes</option>
              </select>
            ) : (
              <input
                className="input"
                inputMode="numeric"
                placeholder="0"
                value={shown(name)}
                aria-invalid={isWrong(own(typed, name))}
                onChange={(event) => type(name, event.target.value)}
              />
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
