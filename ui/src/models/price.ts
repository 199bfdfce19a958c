// Prices of tokens, and what was spent. The API counts 10⁻⁹ USD for each token, people read USD per million tokens:
// 3 USD are 3000.

const DECIMALS = 3;
const USD = new Intl.NumberFormat(undefined, {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: DECIMALS,
});

/** Below this, an amount has more than two decimals. */
const SMALL = 0.1;
const SMALL_USD = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD", maximumSignificantDigits: 2 });
const CENTS = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" });

/** The price as it is sent; null if it is not a whole number. Read as text, because 0.07 * 1000 is not 70. */
export function nanoUsd(perMillion: string): number | null {
  const found = /^(\d{1,9})(?:\.(\d+))?$/.exec(perMillion.trim());
  if (found === null) return null;
  const [, whole = "", fraction = ""] = found;
  const decimals = fraction.replace(/0+$/, "");
  return decimals.length > DECIMALS ? null : Number(whole + decimals.padEnd(DECIMALS, "0"));
}

/** The price as it is typed. */
export function typedPrice(nanoUsd: number): string {
  return String(nanoUsd / 10 ** DECIMALS);
}

/** The price in the format of the reader's locale. */
export function priceText(nanoUsd: number): string {
  return USD.format(nanoUsd / 10 ** DECIMALS);
}

/** An amount of the API. It may have kept its digits (`Digits`). */
export function usd(amount: number | null | undefined): number | null {
  return amount == null ? null : Number(String(amount));
}

/** An amount that was spent, in the format of the reader's locale. A small one keeps two digits: $0.0012. */
export function costText(usd: number): string {
  return (usd > 0 && usd < SMALL ? SMALL_USD : CENTS).format(usd);
}
