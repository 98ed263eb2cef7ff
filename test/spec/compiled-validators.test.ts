import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, resolve } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, it, vi } from 'vitest'
import { controlDocument } from '../../control/document.ts'
import { routes } from '../../control/generated/routes.ts'
import type { ControlId } from '../../control/types.ts'
import { generateWorld } from '../../fixtures/generate/generate-world.ts'
import { loadWorld, shippedWorlds } from '../../fixtures/load-world.ts'
import { recordShapes } from '../../fixtures/record-shapes.ts'
import { kinds } from '../../fixtures/records.ts'
import type { World } from '../../fixtures/world.ts'
import { teamShape, worldShape } from '../../fixtures/world-shapes.ts'
import { checkBody, checkQuery } from '../../mock/control/check.ts'
import { type Described, describedOperations, type Document, document } from '../../spec/document.ts'
import { isEmailAddress, isPhoneNumber } from '../../spec/forms.ts'
import { operations, type OperationId, type Shape } from '../../spec/operations.ts'
import { oddity } from '../fuzz/oddities.ts'
import { Pool } from '../fuzz/pool.ts'
import { requestsOf } from '../fuzz/requests.ts'
import { operationIds } from '../mock/asks.ts'

// The bundle holds validators that were compiled when it was made. They say what Ajv says, in the same words.

const seed = 20260301
const folder = resolve(import.meta.dirname, '../../dist/bundle')
const missed: string[] = []
let compiled: Shapes

beforeAll(async () => {
  compiled = await shapesOfTheBundle()
})

interface Shapes {
  readonly operations: typeof operations
  readonly recordShapes: typeof recordShapes
  readonly teamShape: Shape
  readonly worldShape: Shape
  readonly isEmailAddress: (text: string) => boolean
  readonly isPhoneNumber: (text: string) => boolean
  readonly checkBody: typeof checkBody
  readonly checkQuery: typeof checkQuery
}

it.each(operationIds)('%s is read alike: examples, requests as documented, and odd ones', (id) => {
  const pool = new Pool()
  const drafts = fc.sample(requestsOf(id), { seed, numRuns: 200 })
  for (const { query, body, form } of drafts) {
    expectAlike(id, pool.inPlace(query), ({ query: shape }) => shape)
    expectAlike(id, pool.inPlace(body), (operation) => operation.body('application/json'))
    expectAlike(id, pool.inPlace(form), (operation) => operation.body('multipart/form-data'))
  }
  for (const example of examplesOf(document, id)) {
    expectAlike(id, example, (operation) => operation.body('application/json'))
    for (const field of Object.keys(example)) {
      const without = { ...example, [field]: undefined }
      expectAlike(id, JSON.parse(JSON.stringify(without)), (operation) => operation.body('application/json'))
    }
  }
  expect(missed).toEqual([])
})

it('worlds are read alike: those of the package, a large one, and damaged ones', async () => {
  const worlds = [
    ...(await Promise.all(shippedWorlds.map(loadWorld))),
    await generateWorld({ seed, contacts: 20, awkward: true }),
  ]
  const odd = fc.sample(oddity, { seed, numRuns: 20 })
  let read = 0
  for (const [value, shapeIn] of worlds.flatMap(partsOf)) {
    const damaged = odd.map((spoil) => spoil({ path: {}, query: {}, headers: {}, body: value }).body)
    for (const part of [value, ...damaged]) {
      for (const way of ['check', 'closed'] as const) {
        expect(outcomeOf(shapeIn(compiled)[way], part)).toEqual(outcomeOf(shapeIn(ofAjv)[way], part))
        read++
      }
    }
  }
  expect(read).toBeGreaterThan(5_000)
  expect(missed).toEqual([])
})

it.each(['ada@example.com', 'ada', '', '+14155550123', '4155550123', '+0', 'a@b', 'ä@example.com', '\0'])(
  'a single value is read alike: %j',
  (text) => {
    expect(compiled.isEmailAddress(text)).toBe(isEmailAddress(text))
    expect(compiled.isPhoneNumber(text)).toBe(isPhoneNumber(text))
  },
)

it.each(Object.keys(routes) as ControlId[])('%s of the control plane is read alike', (id) => {
  const odd = fc.sample(oddity, { seed, numRuns: 50 })
  for (const given of [{}, ...givenTo(id)]) {
    for (const value of [given, ...odd.map((spoil) => spoil({ path: {}, query: {}, headers: {}, body: given }).body)]) {
      for (const check of ['checkBody', 'checkQuery'] as const) {
        expect(outcomeOf(refusalBy(compiled[check], id), value)).toEqual(outcomeOf(refusalBy(ofAjv[check], id), value))
      }
    }
  }
  expect(missed).toEqual([])
})

const ofAjv: Shapes = {
  operations,
  recordShapes,
  teamShape,
  worldShape,
  isEmailAddress,
  isPhoneNumber,
  checkBody,
  checkQuery,
}

/** What is said when it is refused. */
function refusalBy(check: typeof checkBody, id: ControlId): Shape['check'] {
  return (value) => {
    try {
      check(id, value)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
}

/** The examples of its body, and queries with each parameter alone, good and bad. */
function givenTo(id: ControlId): object[] {
  const { parameters = [] } = described(controlDocument(), id)
  const named = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const texts = ['1', '0', '-1', 'true', 'x', '5s', '4xx', '', '{}', 'x'.repeat(2_000)]
  return [...examplesOf(controlDocument(), id), ...named.flatMap((name) => texts.map((text) => ({ [name]: text })))]
}

function expectAlike(
  id: OperationId,
  value: unknown,
  shapeIn: (operation: (typeof operations)[OperationId]) => Shape | undefined,
) {
  const [own, other] = [compiled, ofAjv].map((shapes) => shapeIn(shapes.operations[id]))
  if (!own || !other || value === undefined) return
  expect(outcomeOf(own.check, value)).toEqual(outcomeOf(other.check, value))
}

/** What is said of a value, and what became of it: text is turned into what is documented, in place. */
function outcomeOf(check: Shape['check'], value: unknown) {
  const own = structuredClone(value)
  return { complaint: check(own), value: own }
}

const described = (within: Document, id: string): Partial<Described> =>
  describedOperations(within).find(({ operationId }) => operationId === id) ?? {}

function examplesOf(within: Document, id: string): Record<string, unknown>[] {
  const { requestBody } = described(within, id)
  return Object.values(requestBody?.content ?? {}).flatMap(({ example, examples = {} }) =>
    [example, ...Object.values(examples).map(({ value }) => value)].flatMap((value) =>
      value === undefined ? [] : [value as Record<string, unknown>],
    ),
  )
}

function partsOf(world: World): [value: unknown, shapeIn: (shapes: Shapes) => Shape][] {
  const records = world.teams.flatMap((team) =>
    kinds.flatMap((kind) =>
      (team[kind] ?? []).map((record): [unknown, (shapes: Shapes) => Shape] => [
        record,
        (shapes) => shapes.recordShapes[kind],
      ]),
    ),
  )
  return [
    [world, (shapes) => shapes.worldShape],
    ...world.teams.map((team): [unknown, (shapes: Shapes) => Shape] => [team, (shapes) => shapes.teamShape]),
    ...records,
  ]
}

/** The same modules once more, with the validators of the bundle. */
async function shapesOfTheBundle(): Promise<Shapes> {
  const { load } = createRequire(import.meta.url)(resolve(folder, 'load.cjs')) as { load: (file: string) => object }
  const files = readdirSync(folder).filter((file) => file.startsWith('validators-'))
  const known = new Map(files.flatMap((file) => Object.entries(load(basename(file)))))
  const compiledBefore = (key: string): unknown => {
    if (!known.has(key)) missed.push(key)
    return known.get(key)
  }
  vi.resetModules()
  vi.doMock('../../spec/compiled-before.ts', () => ({ compiledBefore }))
  return {
    ...(await import('../../spec/operations.ts')),
    ...(await import('../../spec/forms.ts')),
    ...(await import('../../fixtures/record-shapes.ts')),
    ...(await import('../../fixtures/world-shapes.ts')),
    ...(await import('../../mock/control/check.ts')),
  }
}
