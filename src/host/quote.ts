/** One word for bash that is exactly `text`, whatever it holds. */
export const quote = (text: string): string => `'${text.replace(/'/g, `'\\''`)}'`;
