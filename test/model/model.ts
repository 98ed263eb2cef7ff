import { expect } from 'vitest'
import type { TeamInWorld, World } from '../../fixtures/world.ts'
import type { Told } from '../mock/harness.ts'
import { isAgain, type Kept, type Question } from './keys.ts'
import { type Name, Names } from './names.ts'
import { modelled } from './operations.ts'
import { kinds } from '../kinds.ts'
import { Refused, type Reply, TeamModel } from './team-model.ts'

const teamNames = ['acme', 'globex'] as const
export type TeamName = (typeof teamNames)[number]
export const otherThan = (team: string): TeamName => (team === 'acme' ? 'globex' : 'acme')

/** Two teams with their records, and a clock that only `pass` moves. */
export class Model {
  readonly teams: Readonly<Record<TeamName, TeamModel>>
  readonly names = new Names()
  /** The latest request with a key, so that it can be repeated. */
  lastKeyed: { team: TeamName; question: Question } | undefined
  #now = Date.parse('2026-03-01T09:30:00Z')

  constructor(start: World) {
    const clock = { now: () => this.#now }
    this.teams = { acme: new TeamModel('acme', clock), globex: new TeamModel('globex', clock) }
    for (const team of start.teams) this.#take(team)
  }

  now(): number {
    return this.#now
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds
  }

  /** Performs the request in the model, and compares the answers. */
  hears(team: TeamModel, question: Question, told: Told): void {
    const mustBe = this.#answerTo(team, question)
    this.#checkForeign(team, told)
    if (mustBe instanceof Refused) checkRefusal(mustBe, told)
    else if ('told' in mustBe) expect({ ...told, assumed: [] }).toEqual({ ...mustBe.told, assumed: [] })
    else this.#checkReply(mustBe, told)
    team.keys.keep(question, told)
  }

  /** Compares the records of the sandbox with those of the model. */
  holds(world: { teams: readonly object[] }): void {
    const teams = teamNames.map((name) => Object.fromEntries(kinds.map((kind) => [kind, this.teams[name].has[kind]])))
    const held = world.teams.map((team) => ({ ...Object.fromEntries(kinds.map((kind) => [kind, []])), ...team }))
    expect(held).toMatchObject(this.names.learned(teams, held) as object[])
  }

  #take(team: TeamInWorld): void {
    const named = (id: string | undefined) => id && this.names.given(team._id, id)
    for (const kind of kinds) {
      for (const record of team[kind] ?? []) {
        const { _id, conversationId, contactId } = record as Record<string, string | undefined>
        const isTold = kind === 'conversations' || kind === 'messages'
        const names = isTold ? { conversationId: named(conversationId), contactId: named(contactId) } : {}
        this.teams[team._id as TeamName].has[kind].push({ ...record, ...names, _id: named(_id) as Name })
      }
    }
  }

  #answerTo(team: TeamModel, question: Question): Reply | Kept | Refused {
    const { id, asked, isSpoilt } = question
    const known = team.keys.before(question)
    if (known) return isAgain(known, question) ? known : new Refused(400)
    if (isSpoilt) return new Refused(400)
    try {
      return modelled[id].answers(team, asked)
    } catch (refused) {
      if (refused instanceof Refused) return refused
      throw refused
    }
  }

  /** promise access.readsStayInTheTeam and similar ones: an answer shows nothing of another team. */
  #checkForeign({ name, said }: TeamModel, { body }: Told): void {
    const text = JSON.stringify(body)
    expect(text).not.toContain(otherThan(name))
    expect(this.names.foreignIn(text, name).filter((id) => !said.has(id))).toEqual([])
  }

  #checkReply({ status, data, pagination, says = /./ }: Reply, told: Told): void {
    const body = { success: true, message: expect.stringMatching(says), data, pagination }
    const { message, ...expected } = this.names.learned({ ...body, message: '' }, told.body) as typeof body
    expect({ status: told.status, body: told.body }).toEqual({ status, body: { ...expected, message: body.message } })
  }
}

function checkRefusal({ statuses }: Refused, { status, body }: Told): void {
  expect(statuses, JSON.stringify(body)).toContain(status)
  const message = status === 404 ? 'Resource not found' : expect.stringMatching(/./)
  expect(body).toEqual({ success: false, message })
}
