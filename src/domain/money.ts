/** Millionths of a dollar, always a whole number: sums of them are exact. */
export type Micros = number;

export const MICROS_PER_USD = 1_000_000;

/** To the nearest millionth. */
export const microsOf = (usd: number): Micros => Math.round(usd * MICROS_PER_USD);

/** `12.34 USD`; four decimals below one dollar, where single calls are: `0.0412 USD`. */
export const dollars = (micros: Micros): string => `${amount(micros)} USD`;

/** The same without its unit, for columns. */
export function amount(micros: Micros): string {
  const isSmall = micros !== 0 && Math.abs(micros) < MICROS_PER_USD;
  return (micros / MICROS_PER_USD).toFixed(isSmall ? 4 : 2);
}
