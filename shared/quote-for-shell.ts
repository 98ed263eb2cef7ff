/** Quotes a text for a POSIX shell, which takes everything in single quotes as it is. */
export const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
