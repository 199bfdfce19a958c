// Numbers in the format of the reader's locale.

const NUMBER = new Intl.NumberFormat();
const PERCENT = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });

export function number(value: number): string {
  return NUMBER.format(value);
}

export function percent(share: number | null): string {
  // 99.96 % is not all of it.
  return share === null ? "–" : PERCENT.format(share < 1 ? Math.min(share, 0.999) : 1);
}
