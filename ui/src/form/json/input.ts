// What every code editor here does with its input.
import type { EditorView } from "@codemirror/view";

/** Invisible characters, which are shown as codes. */
export const HIDDEN =
  /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800\ufffc]/u;

/** Replaces a selection by itself: the browser would add a style attribute, which the policy blocks. */
export function instead(event: InputEvent, editor: EditorView): boolean {
  if (event.inputType !== "insertText" || event.data === null || event.isComposing || editor.state.selection.main.empty)
    return false;
  event.preventDefault();
  editor.dispatch(editor.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}
