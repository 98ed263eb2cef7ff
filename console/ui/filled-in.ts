/** The texts of a form by the names of its inputs, without the empty ones. */
export function filledIn(form: HTMLFormElement): Readonly<Record<string, string>> {
  const texts = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}
