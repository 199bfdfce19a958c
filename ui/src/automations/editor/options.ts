// The actions that are offered for a step or to a model, and how they are found.

/** What a step can do or a model can use, as it is offered. */
export interface ActionOption {
  action: string;
  description: string;
  risk?: string;
  /** Shown in place of the address. */
  title?: string;
}

/** All words must match; matches in the name come first. */
export function find(actions: readonly ActionOption[], part: string): ActionOption[] {
  const terms = part
    .toLowerCase()
    .split(/[\s._]+/)
    .filter((term) => term !== "");
  const nameOf = ({ action, title = "" }: ActionOption) => `${action} ${title}`.toLowerCase();
  const inName = (each: ActionOption) => terms.every((term) => nameOf(each).includes(term));
  const found = actions.filter((each) =>
    terms.every((term) => `${nameOf(each)} ${each.description.toLowerCase()}`.includes(term)),
  );
  return [...found.filter(inName), ...found.filter((each) => !inName(each))];
}
