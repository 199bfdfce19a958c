// Flows of data in words. A value that is newer than this page is shown as it is, so it is drawn with `Line`.

const AUDIENCES = new Map([
  ["internal", "People of the organization"],
  ["partner", "Partners"],
  ["public", "Anyone"],
]);

const CHOSEN_BY = new Map([
  ["definition", "The definition of the automation"],
  ["person", "The person who started the run"],
  ["data", "Data that was read or received"],
  ["model", "A model"],
]);

export const NO_PLACE = "A place that is not known";
export const OBSERVED = "Flows are only observed: what would be asked is recorded, nothing is held.";

/** Who may see data at its destination. */
export function audienceText(audience: string): string {
  return AUDIENCES.get(audience) ?? audience;
}

/** Who chose the destination. */
export function chosenByText(by: string): string {
  return CHOSEN_BY.get(by) ?? by;
}
