import { setTimeout } from 'node:timers/promises'
import { Type } from 'typebox'
import { assumption, assumptionNames } from '../../spec/assumptions.ts'
import { unmarked } from '../../spec/assumed.ts'
import { type Chosen, writtenChoice } from '../../spec/choices.ts'
import { version } from '../../lib/version.ts'
import { RejectedNow } from '../core/rejections.ts'
import { StoreOutdated, StoreUnreachable } from '../store/port.ts'
import type { ControlContext } from './context.ts'
import { noun, route } from './route.ts'
import { dictionaryOf, integer, optionalText, output, text } from '../core/schemas.ts'

const Health = output(
  'Health',
  {
    version: text(),
    world: optionalText(
      'The initial data, which a reset restores, as `--world` takes it. Left out if a program passed it as an object.',
    ),
    store: text('The store, as `--store` takes it.'),
    uptimeSeconds: integer(),
    memory: Type.Object(
      { most: integer(), used: dictionaryOf(Type.Integer()) },
      {
        description:
          'The bytes that requests in flight, rules and all that is kept beside the records may take, and take.',
      },
    ),
    choices: Type.Object(
      {
        learned: integer('From the profile.'),
        chosen: integer('By hand, with `--assume` or while the sandbox runs.'),
        assumed: integer('From the register.'),
      },
      { description: 'How many of the choices in force for all teams come from where.' },
    ),
    database: Type.Optional(
      Type.Object(
        { succeeded: integer(), failed: integer() },
        { description: 'How many reads and changes of the last 30 seconds succeeded and failed, in a database.' },
      ),
    ),
    assumptions: dictionaryOf(Type.String(), {
      description: 'The two choices that affect every answer alike, and each choice that was changed.',
    }),
  },
  'Without the control token, this is left out.',
)

export const sandbox = noun('sandbox', 'Whether it is up, and back to the start.', (context) => ({
  getHealth: route('GET /health', 'Say whether it is up, with which store and which choices', {
    call: 'health',
    isLocal: true,
    description: 'Needs no control token; without one the answer has no data.',
    message: ({ database }) => `The sandbox is up${database ? inWords(database) : ''}`,
    data: Health,
    async handler() {
      const problem = await problemOf(context)
      if (problem) throw problem
      const recent = context.store.work?.().recent
      return {
        version,
        ...(context.worldName !== undefined && { world: context.worldName }),
        store: context.storeName,
        uptimeSeconds: Math.floor((performance.now() - context.startedAt) / 1000),
        memory: { most: context.memory.most, used: { ...context.memory.used } },
        choices: context.choices.count(),
        ...(recent && { database: { succeeded: recent.succeeded, failed: recent.failed } }),
        assumptions: notableChoices(context.choices.of().chosen),
      }
    },
  }),

  getLive: route('GET /live', 'Say that the process runs', {
    call: 'live',
    isOpen: true,
    description: 'For load balancers. Needs no control token, and does not ask the store.',
    message: 'The sandbox runs',
    handler: async () => undefined,
  }),

  getReady: route('GET /ready', 'Say whether it takes requests', {
    call: 'ready',
    isOpen: true,
    description:
      'For load balancers. Needs no control token. The answer is 503 while the database does not answer or all work in it fails, when a newer server has changed its tables, and from SIGTERM on.',
    message: 'The sandbox takes requests',
    handler: () => checkReady(context),
  }),

  getControlDocument: route('GET /openapi.json', 'Get the OpenAPI document of the control plane', {
    call: 'document',
    data: dictionaryOf(Type.Unknown(), { description: 'The OpenAPI document of the control plane.' }),
    handler: async () => (await context.document()) as Record<string, unknown>,
  }),

  resetSandbox: route('POST /reset', 'Restore the state of the start', {
    call: 'reset',
    description: 'Deletes teams that were created since, and the stored answers for each Idempotency-Key.',
    message: 'Everything is as it was at the start',
    handler: () => context.worlds.reset(),
  }),
}))

async function checkReady(context: ControlContext): Promise<void> {
  if (context.stopping.aborted) throw new RejectedNow(503, 'The sandbox is stopping')
  const problem = await problemOf(context)
  if (problem) throw new RejectedNow(503, problem.message)
  if (context.store.work?.().recent.areAllFailing)
    throw new RejectedNow(503, 'All that the sandbox asked of its database lately has failed')
}

/** Why the store cannot be used. Applies what other processes have changed, and reads a record. */
async function problemOf({ sharedSettings, store }: ControlContext): Promise<StoreUnreachable | undefined> {
  if (!sharedSettings) return undefined
  const unreachable = new StoreUnreachable('The database does not answer')
  const asked = sharedSettings.refresh().then(() => store.size())
  const outcome = await inTime(asked.catch((error: unknown) => (error instanceof StoreOutdated ? error : unreachable)))
  return outcome === undefined ? unreachable : outcome instanceof StoreUnreachable ? outcome : undefined
}

function inWords({ succeeded, failed }: { readonly succeeded: number; readonly failed: number }): string {
  const sum = succeeded + failed
  if (failed === 0) return ', and its database works'
  return `, but its database failed ${failed} of ${sum} reads and changes in the last 30 seconds`
}

/** The result; undefined when it fails, or takes too long for a load balancer. */
export const inTime = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  Promise.race([work.catch(() => undefined), setTimeout(longestCheck, undefined, { ref: false })])

const longestCheck = 2_000

function notableChoices(chosen: Chosen): Record<string, string> {
  const notable = assumptionNames.filter(
    (name) => unmarked.includes(name) || chosen[name].choice !== assumption(name).assumed,
  )
  return Object.fromEntries(notable.map((name) => [name, writtenChoice(chosen[name])]))
}
