// An editor for Cedar, with problems at their place and completion. As with JSON, the content-security policy allows
// its styles only within a shadow root.
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, Transaction } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { useEffect, useRef } from "react";
import { HIDDEN, instead } from "../../form/json/input";
import { LOOK } from "../../form/json/theme";
import { plain } from "../../text/visible";
import type { PolicyProblem, PolicySchema } from "../types";
import { offersAt } from "./complete";
import { COLOURS, cedar } from "./language";
import { rangeOf } from "./places";

interface Props {
  /** The accessible name. */
  label: string;
  text: string;
  onChange?: (text: string) => void;
  problems?: readonly PolicyProblem[];
  /** For completion. */
  schema?: PolicySchema | undefined;
  /** Scrolls there whenever the object changes. */
  goTo?: PolicyProblem | null;
}

const NONE: readonly PolicyProblem[] = [];

/** Without `onChange` the text can only be read. */
export function CedarEditor({ label, text, onChange, problems = NONE, schema, goTo = null }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ onChange, schema });
  latest.current = { onChange, schema };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first values count; a later `text` follows below.
  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const isReadOnly = onChange === undefined;
    const source = (context: CompletionContext): CompletionResult | null => {
      if (latest.current.schema === undefined) return null;
      const found = offersAt(context.state.doc.toString(), context.pos, latest.current.schema, context.explicit);
      return found === null
        ? null
        : {
            from: found.from,
            options: found.options.map((each) => ({ ...each, detail: plain(each.detail ?? "").slice(0, 70) })),
            validFor: /^[@\w.:]*$/,
          };
    };
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          isReadOnly ? [EditorState.readOnly.of(true)] : [lintGutter(), history(), highlightActiveLine()],
          drawSelection(),
          bracketMatching(),
          highlightSpecialChars({ addSpecialChars: HIDDEN }),
          cedar,
          syntaxHighlighting(COLOURS),
          LOOK,
          EditorView.lineWrapping,
          EditorState.tabSize.of(2),
          autocompletion({ override: [source], icons: false }),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorView.domEventHandlers({ beforeinput: instead }),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          EditorView.updateListener.of((update) => {
            const isOurs = update.transactions.some((each) => each.annotation(Transaction.userEvent) === "follow");
            if (update.docChanged && !isOurs) latest.current.onChange?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text }, userEvent: "follow" });
  }, [text]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `text` moves the places of the problems.
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const now = editor.state.doc.toString();
    const found = problems.map((problem) => ({
      ...rangeOf(now, problem),
      severity: problem.severity,
      message: plain(problem.help == null ? problem.message : `${problem.message}. ${problem.help}`),
    }));
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [problems, text]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || goTo === null) return;
    const { from, to } = rangeOf(editor.state.doc.toString(), goTo);
    editor.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: "center" }),
    });
    editor.focus();
  }, [goTo]);

  return <div ref={host} className="h-full overflow-hidden rounded-xl border border-edge bg-card" />;
}
