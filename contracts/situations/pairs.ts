/** Numbers from 0 up to 1 that repeat with their seed (xorshift). */
export function drawsOf(seed: number): () => number {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

type Parameters = Readonly<Record<string, readonly unknown[]>>

export type Row<All extends Parameters> = { readonly [Name in keyof All]: All[Name][number] }

/**
 * Few rows in which two values of different parameters stand together: a greedy covering array, without the rows that would
 * each add fewer new pairs than `fewest`.
 */
export function pairsOf<const All extends Parameters>(parameters: All, draw: () => number, fewest: number): Row<All>[] {
  const names = Object.keys(parameters)
  const open = new Set<string>()
  for (const [at, one] of names.entries())
    for (const other of names.slice(at + 1))
      for (const value of indexesOf(parameters, one))
        for (const second of indexesOf(parameters, other)) open.add(pair(one, value, other, second))
  const rows: Row<All>[] = []
  const valueIn = (row: Readonly<Record<string, number>>, name: string) => parameters[name]?.[row[name] ?? 0]
  while (open.size > 0) {
    const candidates = Array.from({ length: mostTried }, () => newRow(parameters, names, open, draw))
    const [best] = candidates
      .map((row) => ({ row, met: pairsIn(row, names).filter((one) => open.has(one)) }))
      .toSorted((one, other) => other.met.length - one.met.length)
    if (!best) break
    const { row, met } = best
    const isRare = names.some((name) => rows.filter((one) => one[name] === valueIn(row, name)).length < leastRows)
    if (met.length < fewest && !isRare) {
      const [first = ''] = open
      open.delete(first)
      continue
    }
    for (const one of met) open.delete(one)
    const values = names.map((name) => [name, valueIn(row, name)])
    rows.push(Object.fromEntries(values) as Row<All>)
  }
  return rows
}

/** Each value is in as many rows, even where these add few new pairs. */
const leastRows = 2

/** How many rows to try, to keep the one with the most new pairs. */
const mostTried = 20

const pairsIn = (row: Readonly<Record<string, number>>, names: readonly string[]) =>
  names.flatMap((one, at) => names.slice(at + 1).map((other) => pair(one, row[one] ?? 0, other, row[other] ?? 0)))

const indexesOf = (parameters: Parameters, name: string) => [...(parameters[name] ?? []).keys()]

const pair = (one: string, value: number, other: string, second: number) => `${one} ${value} ${other} ${second}`

/** Begins with an open pair, and gives each other parameter the value that meets the most open pairs. */
function newRow(parameters: Parameters, names: readonly string[], open: ReadonlySet<string>, draw: () => number) {
  const [first = ''] = open
  const [one = '', value = '', other = '', second = ''] = first.split(' ')
  const row: Record<string, number> = { [one]: Number(value), [other]: Number(second) }
  for (const name of names.filter((name) => !(name in row)).toSorted(() => draw() - 0.5)) {
    const counts = indexesOf(parameters, name).map((index) => ({
      index,
      count: names.filter((met) => met in row && open.has(ordered(names, name, index, met, row[met] ?? 0))).length,
      chance: draw(),
    }))
    const [best] = counts.toSorted((a, b) => b.count - a.count || a.chance - b.chance)
    row[name] = best?.index ?? 0
  }
  return row
}

const ordered = (names: readonly string[], one: string, value: number, other: string, second: number) =>
  names.indexOf(one) < names.indexOf(other) ? pair(one, value, other, second) : pair(other, second, one, value)
