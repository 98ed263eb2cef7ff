const longest = 10_000

/** As much of a text as may be reported: the report cuts it once more, after it has hidden the secrets in it. */
export const keep = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)
