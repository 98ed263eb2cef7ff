import fc from 'fast-check'
import { expect } from 'vitest'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { idOf, inPlace } from './in-place.ts'
import type { Question } from './keys.ts'
import type { Model, TeamName } from './model.ts'
import { modelled, modelledIds } from './operations.ts'
import { ref } from './pools.ts'
import type { Real } from './real.ts'
import { spoilt, waysToSpoil } from './spoiling.ts'
import type { Tally } from './tally.ts'

type Command = fc.AsyncCommand<Model, Real>

export function sequences(most: number, tally: Tally): fc.Arbitrary<Iterable<Command>> {
  const asks = modelledIds.map((id) => ({ weight: weightOf(id), arbitrary: askOf(id, tally) }))
  const others = [again, timePasses, judged].map((arbitrary) => ({ weight: 4, arbitrary }))
  return fc.commands([fc.oneof(...asks, ...others, { weight: 1, arbitrary: reopened })], {
    maxCommands: most,
    size: 'max',
  })
}

/** Creates are more frequent than deletes, so that there are records to work on. */
function weightOf(id: OperationId): number {
  return { get: 6, post: 5, put: 6, delete: 4 }[operations[id].method]
}

const team = fc.constantFrom<TeamName>('acme', 'acme', 'globex')

function askOf(id: OperationId, tally: Tally): fc.Arbitrary<Command> {
  return fc
    .record({
      team,
      wanted: modelled[id].asks,
      by: fc.constantFrom('key', 'key', 'agent', 'admin'),
      key: oneIn(6, fc.constantFrom('once', 'twice', 'thrice')),
      way: oneIn(12, fc.constantFrom(...waysToSpoil)),
    })
    .map(({ team, wanted, by, key, way }) => ({
      check: (model) => !/@(own|foreign|gone) /.test(JSON.stringify(inPlace(wanted, model, team))),
      run: async (model, real) => {
        const asked = { ...inPlace(wanted, model, team), by }
        const isSpoilt = way !== undefined && asked.body !== undefined
        const body = isSpoilt ? spoilt(asked.body, id, way) : asked.body
        const status = await ask(model, real, team, { id, asked: { ...asked, body }, key: takenBy(id, key), isSpoilt })
        tally.count(id, status < 400, JSON.stringify(wanted).includes('@foreign'))
      },
      toString: () => `${team} ${by} ${id} ${JSON.stringify(wanted)} ${takenBy(id, key) ?? ''} ${way ?? ''}`,
    }))
}

const oneIn = <Value>(times: number, arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const takenBy = (id: OperationId, key: string | undefined) => (operations[id].takesIdempotencyKey ? key : undefined)

async function ask(model: Model, real: Real, team: TeamName, question: Question): Promise<number> {
  for (const id of JSON.stringify(question.asked).match(/[0-9a-f]{24}/g) ?? []) model.teams[team].said.add(id)
  const told = await real.ask(team, question)
  model.hears(model.teams[team], question, told)
  if (question.key !== undefined) model.lastKeyed = { team, question }
  return told.status
}

const again: fc.Arbitrary<Command> = fc.constant({
  check: (model) => model.lastKeyed !== undefined,
  run: async (model, real) => {
    if (model.lastKeyed) await ask(model, real, model.lastKeyed.team, model.lastKeyed.question)
  },
  toString: () => 'the latest request with a key comes again',
})

const timePasses: fc.Arbitrary<Command> = fc.constantFrom(1, 60_000, 9 * 3_600_000, 25 * 3_600_000).map((time) => ({
  check: () => true,
  run: async (model) => {
    model.pass(time)
  },
  toString: () => `${time} ms pass`,
}))

const reopened: fc.Arbitrary<Command> = fc.constant({
  check: () => true,
  run: (_, real) => real.reopen(),
  toString: () => 'it is closed and opened again',
})

const judged: fc.Arbitrary<Command> = fc
  .record({ team, template: ref('templates'), verdict: fc.constantFrom('approve', 'approve', 'reject') })
  .map(({ team, template, verdict }) => ({
    check: () => true,
    run: async (model, real) => {
      const id = idOf(template, model, team)
      const known = model.teams[team].get('templates', id)
      const status = await real.judge(id, team, verdict)
      expect(status).toBe(known ? (known.templateType === 'whatsapp' ? 200 : 400) : 404)
      if (known && status === 200) known.status = verdict === 'approve' ? 'approved' : 'rejected'
    },
    toString: () => `${team} ${template}: ${verdict}`,
  }))
