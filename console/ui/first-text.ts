/** The first of these texts that is not empty, and at most 200 characters of it: a name can be as long as a body. */
export function firstText(...texts: readonly (string | null | undefined)[]): string {
  return (texts.find((text) => text !== undefined && text !== null && text !== '') ?? '').slice(0, 200)
}
