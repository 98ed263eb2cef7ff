// A caller in JavaScript may hand over anything. Only an object is taken apart; the rest is refused as it is.

export const isOptions = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As an address would have it: what cannot stand in one is an empty text, which the form of its field refuses. */
export function queryFrom<Options>(options: Options): Options {
  if (!isOptions(options)) return options
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, isWord(value) ? (value as unknown) : ''])) as Options
}

/** Whether it can stand in an address. */
export const isWord = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/** The body for an argument and options. An option with the name of the argument is no field of the body. */
export function bodyOf<Argument extends object, Options extends object>(
  argument: Argument,
  options: Options,
): Argument & Options {
  if (!isOptions(options)) return options
  const nameOf = (name: string) => (name in argument ? `options.${name}` : name)
  const named = Object.entries(options).map(([name, value]): [string, unknown] => [nameOf(name), value])
  return { ...(Object.fromEntries(named) as Options), ...argument }
}
