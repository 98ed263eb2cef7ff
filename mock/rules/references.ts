/** The ids that a field holds, and where they are looked up. */
type Reference = readonly [records: Lookup, ids: readonly (string | undefined)[]]

interface Lookup {
  get(id: string): Promise<unknown>
}

/** The first field that holds an id which this team does not have. */
export async function findMissingReference(
  references: Readonly<Record<string, Reference>>,
): Promise<string | undefined> {
  for (const [field, [records, ids]] of Object.entries(references)) {
    for (const id of ids) if (id !== undefined && (await records.get(id)) === undefined) return field
  }
  return undefined
}

/** For ids that are not records of their own, such as groups and pipelines. */
export function lookupIn(ids: readonly string[]): Lookup {
  const known = new Set(ids)
  return { get: async (id) => (known.has(id) ? id : undefined) }
}
