import { type Model, otherThan, type TeamName } from './model.ts'
import type { Wanted } from './modelled.ts'
import type { Kind } from '../kinds.ts'
import type { Asked, TeamModel } from './team-model.ts'

type Teams = Pick<Model, 'teams'>

/** The generated request, with its symbolic names replaced by ids and by the names of the teams. */
export function inPlace({ path = {}, query = {}, body }: Wanted, model: Teams, team: TeamName): Omit<Asked, 'by'> {
  const placed = (_: string, value: unknown) => (typeof value === 'string' ? idOf(value, model, team) : value)
  return JSON.parse(JSON.stringify({ path, query, body }), placed)
}

const nobody = '0123456789abcdef01234567'

/** The id that a symbolic name stands for, or the text itself when there is no such record. */
export function idOf(text: string, model: Teams, team: TeamName): string {
  const other = otherThan(team)
  const [, whose, kind, at] = /^@(own|foreign|gone) (\w+) (\d+)$/.exec(text) ?? []
  if (whose === undefined) return text.replace('@nobody', nobody).replaceAll('@team', team).replaceAll('@other', other)
  const ids = idsIn(model.teams[whose === 'foreign' ? other : team], kind as Kind, whose === 'gone')
  return ids.at(-1 - (Number(at) % ids.length)) ?? text
}

function idsIn({ has, gone }: TeamModel, kind: Kind, isGone: boolean): string[] {
  return isGone ? gone[kind] : has[kind].flatMap(({ _id }) => _id.real ?? [])
}
