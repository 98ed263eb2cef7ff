/** What a field names, and where it ought to be. */
export type Named = readonly [place: Place, ids: readonly (string | undefined)[]]

interface Place {
  get(id: string): Promise<unknown>
}

/** The first field that names something this team does not have; none when all of it is there. */
export async function fieldThatLeadsNowhere(named: Readonly<Record<string, Named>>): Promise<string | undefined> {
  for (const [field, [place, ids]] of Object.entries(named)) {
    for (const id of ids) if (id !== undefined && (await place.get(id)) === undefined) return field
  }
  return undefined
}
