import { kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld } from '../../../fixtures/world.ts'
import { recordsOf, teamOf } from '../team-and-records.ts'
import type { Happened, Step } from './happened.ts'
import { type Line, lineOf } from './log-line.ts'

/** What lines of a log hold: things that happened. A large one is split, and all of its parts but the last say `more`. */
export type Part = Happened & { readonly more?: true }

export interface TurnLine {
  /** The checksum of the line before, so that none can be missing, or come from elsewhere. */
  readonly after: string
  /** The number of the first thing that it holds a part of, counted since the document was made. */
  readonly turn: number
  readonly happened: readonly Part[]
}

/** Where a log goes on. */
interface Place {
  readonly turn: number
  readonly after: string
}

/** Writes what happened in lines of about this size; one with a large record is longer. */
export function* linesOf(all: readonly Happened[], { turn, after }: Place, size: number): Generator<Line> {
  let next = turn
  let firstInLine = turn
  let text = ''
  const endLine = () => {
    const line = lineOf(`"after":"${after}","turn":${firstInLine},"happened":[${text}]}`)
    after = line.checksum
    firstInLine = next
    text = ''
    return line
  }
  for (const happened of all) {
    let isFirst = true
    for (const { part, isSplit } of textsOf(happened, size)) {
      // A line that ends with a part holds nothing else, so that it can be cut off if the other parts never came.
      const isFull = (isSplit && isFirst) || text.length + part.length > size
      if (text !== '' && isFull) yield endLine()
      text += text === '' ? part : `,${part}`
      isFirst = false
    }
    next++
  }
  yield endLine()
}

/** The parts of one thing that happened, as texts. */
function* textsOf(happened: Happened, size: number): Generator<{ part: string; isSplit: boolean }> {
  let last = ''
  for (const text of openTextsOf(happened, size)) {
    if (last !== '') yield { part: `${last},"more":true}`, isSplit: true }
    last = text
  }
  yield { part: `${last}}`, isSplit: false }
}

/** Without their last bracket. */
function* openTextsOf(happened: Happened, size: number): Generator<string> {
  if ('turnOf' in happened) yield* openTextsOfTurn(happened.turnOf, happened.steps, size)
  else if ('teamAdded' in happened) yield* openTextsOfTeam(happened.teamAdded, size)
  else if ('became' in happened) {
    yield openTextOf({ became: { teams: [] }, era: happened.era })
    for (const team of happened.became.teams) yield* openTextsOfTeam(team, size)
  } else yield openTextOf(happened)
}

function* openTextsOfTeam(team: TeamInWorld, size: number): Generator<string> {
  yield openTextOf({ teamAdded: teamOf(team) })
  yield* openTextsOfTurn(team._id, insertsOf(team), size)
}

function* insertsOf(team: TeamInWorld): Generator<Step> {
  for (const kind of kinds) for (const record of recordsOf(team, kind)) yield { insert: kind, record }
}

function* openTextsOfTurn(teamId: string, steps: Iterable<Step>, size: number): Generator<string> {
  const start = `{"turnOf":${JSON.stringify(teamId)},"steps":[`
  let text = ''
  for (const step of steps) {
    const one = JSON.stringify(step)
    if (text !== '' && text.length + one.length > size) {
      yield `${start}${text}]`
      text = ''
    }
    text += text === '' ? one : `,${one}`
  }
  yield `${start}${text}]`
}

const openTextOf = (happened: Happened) => JSON.stringify(happened).slice(0, -1)
