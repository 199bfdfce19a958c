// An editor for JSON, with problems at their place and completion. The content-security policy allows the styles of the
// editor only within a shadow root, where it uses constructed style sheets.
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, syntaxHighlighting } from "@codemirror/language";
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
import { plain } from "../../text/visible";
import { type DocumentProblem, problemText } from "../problems";
import { HIDDEN, instead } from "./input";
import { rangeAt } from "./pointers";
import { COLOURS, LOOK } from "./theme";

export interface JsonEditorProps {
  /** The accessible name. */
  label: string;
  text: string;
  onChange: (text: string) => void;
  problems: readonly DocumentProblem[];
  /** The parse error. */
  broken: string | null;
  complete?: (context: CompletionContext) => CompletionResult | null;
  /** Scrolls there whenever the object changes. */
  goTo?: { pointer: string } | null;
  /** Whether Tab indents. Otherwise it moves to the next field. */
  indentsWithTab?: boolean;
  autoFocus?: boolean;
}

export function JsonEditor({
  label,
  text,
  onChange,
  problems,
  broken,
  complete,
  goTo = null,
  indentsWithTab = false,
  autoFocus = false,
}: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ onChange, complete });
  latest.current = { onChange, complete };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first values count; a later `text` follows below.
  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const source = (context: CompletionContext): CompletionResult | null => latest.current.complete?.(context) ?? null;
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          foldGutter(),
          codeFolding(),
          lintGutter(),
          history(),
          drawSelection(),
          bracketMatching(),
          highlightActiveLine(),
          highlightSpecialChars({ addSpecialChars: HIDDEN }),
          json(),
          syntaxHighlighting(COLOURS),
          LOOK,
          EditorView.lineWrapping,
          EditorState.tabSize.of(2),
          autocompletion({ override: [source], icons: false }),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap]),
          keymap.of(indentsWithTab ? [indentWithTab] : []),
          EditorView.domEventHandlers({ beforeinput: instead }),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          EditorView.updateListener.of((update) => {
            const isOurs = update.transactions.some((each) => each.annotation(Transaction.userEvent) === "follow");
            if (update.docChanged && !isOurs) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    if (autoFocus) editor.focus();
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
    const end = now.length;
    const found =
      broken !== null
        ? [{ ...whereBroken(now, broken), severity: "error" as const, message: plain(broken) }]
        : problems.map((problem) => ({
            ...rangeAt(now, problem.pointer),
            severity: "error" as const,
            message: plain(problemText(problem)),
          }));
    editor.dispatch(
      setDiagnostics(
        editor.state,
        found.map((each) => ({ ...each, from: Math.min(each.from, end), to: Math.min(each.to, end) })),
      ),
    );
  }, [problems, broken, text]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || goTo === null) return;
    const { from, to } = rangeAt(editor.state.doc.toString(), goTo.pointer);
    editor.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: "center" }),
    });
    editor.focus();
  }, [goTo]);

  return <div ref={host} className="h-full overflow-hidden rounded-xl border border-edge bg-card" />;
}

/** The position in the browser's error message. */
function whereBroken(text: string, message: string): { from: number; to: number } {
  const position = /position (\d+)|at (\d+)$/.exec(message);
  const at = Math.min(Number(position?.[1] ?? position?.[2] ?? text.length), Math.max(0, text.length - 1));
  return { from: at, to: Math.min(at + 1, text.length) };
}
