/** The id of a record, unknown until the first answer that shows it. */
export class Name {
  readonly owner: string
  real: string | undefined

  constructor(owner: string) {
    this.owner = owner
  }
}

/** The known ids, with their owners. */
export class Names {
  readonly #known = new Map<string, Name>()

  /** A name whose id is known from the start. */
  given(owner: string, real: string): Name {
    const name = this.#known.get(real) ?? new Name(owner)
    this.#known.set(real, name)
    name.real = real
    return name
  }

  /** What was expected, with ids for names; a name without an id takes the one in the answer. */
  learned(expected: unknown, told: unknown): unknown {
    if (expected instanceof Name) return this.#idOf(expected, told)
    if (Array.isArray(expected)) return expected.map((item, at) => this.learned(item, partOf(told, at)))
    if (typeof expected !== 'object' || expected === null) return expected
    return Object.fromEntries(
      Object.entries(expected)
        .filter(([, value]) => value !== undefined)
        .map(([field, value]) => [field, this.learned(value, partOf(told, field))]),
    )
  }

  /** The ids in the text that belong to another team. */
  foreignIn(text: string, team: string): string[] {
    const ids = text.match(/[0-9a-f]{24}/g) ?? []
    return ids.filter((id) => (this.#known.get(id)?.owner ?? team) !== team)
  }

  #idOf(name: Name, told: unknown): string {
    if (name.real !== undefined) return name.real
    if (typeof told !== 'string' || !/^[0-9a-f]{24}$/.test(told) || this.#known.has(told)) return 'an id of its own'
    this.#known.set(told, name)
    name.real = told
    return told
  }
}

const partOf = (told: unknown, key: string | number): unknown =>
  (told as Record<string | number, unknown> | null)?.[key]
