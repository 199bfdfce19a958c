// A change in words, and its author.
import { Person } from "../../people/Person";
import { Excerpt, Line } from "../../text/Visible";
import { authorText, type Named, sentence } from "./kinds";
import type { Change } from "./queries";

/** `isRow` is for a list, where a long name is cut. */
export function ChangeSentence({ change, isRow = false }: { change: Named; isRow?: boolean }) {
  const { start, name, end, isKnown } = sentence(change);
  const Text = isRow ? Excerpt : Line;
  return (
    <>
      {isKnown ? (
        start
      ) : (
        <>
          <Text text={start} />:{" "}
        </>
      )}
      <Text text={name} />
      {end}
    </>
  );
}

/** A former member is shown by ID. */
export function Author({ by }: { by: Change["by"] }) {
  return by.user == null ? <Line text={authorText(by.method)} /> : <Person id={by.user} />;
}

/** The author, and the second owner if there was one. */
export function Authors({ by }: { by: Change["by"] }) {
  return (
    <>
      <Author by={by} />
      {by.countersigned_by != null && (
        <>
          , countersigned by <Person id={by.countersigned_by} />
        </>
      )}
    </>
  );
}
