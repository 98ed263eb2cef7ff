import fc from 'fast-check'
import { createMint, newMarks } from '../../../contracts/client/mint.ts'
import { createTarget, type Target } from '../../../contracts/client/target/target.ts'
import type { Send } from '../../../contracts/client/transport.ts'
import { type SearchResult, search, type SearchOptions } from '../../../contracts/compare/search.ts'
import { ExchangeJudge } from '../../../contracts/judge/exchange-judge.ts'
import { Side, type StartSandbox } from '../../../contracts/compare/side.ts'
import { startComparedSandbox } from '../../../cli/own-target.ts'
import { type Deviant, operationAsked } from '../deviants/deviant.ts'
import { otherTarget, sendTo, Service } from '../other-server/server.ts'
import { asAssumed } from '../other-server/switches.ts'
import { assumption, type AssumptionName, assumptionNames } from '../../../spec/assumptions.ts'
import type { WrittenChoices } from '../../../spec/choices.ts'
import type { OperationId } from '../../../spec/types.ts'

interface Compared extends Partial<
  Pick<SearchOptions, 'steps' | 'seed' | 'most' | 'choices' | 'undetermined' | 'wording' | 'ignored'>
> {
  /** The choices of the server. */
  readonly assume?: WrittenChoices
  readonly startSandbox?: StartSandbox
  /** Changes the answers of the server. */
  readonly change?: Deviant['change']
}

/** Compares two sandboxes. `change` changes the answers of the first. */
export async function compareSandboxes({ assume = {}, choices = assume, ...options }: Compared): Promise<SearchResult> {
  const started = await startComparedSandbox(assume, [])
  try {
    return await compare(createTarget(started.wanted, started.credentials), started.send, { choices, ...options })
  } finally {
    await started.stop()
  }
}

/** The operations that a run of 250 steps sends to a sandbox, in their order. */
export async function operationsOf(limits: Partial<Target>, seed = 1): Promise<OperationId[]> {
  const sent: OperationId[] = []
  const started = await startComparedSandbox({}, [])
  const target = { ...createTarget(started.wanted, started.credentials), ...limits }
  const note: Deviant['change'] =
    (send) =>
    (request, ...others) => {
      sent.push(operationAsked(request) ?? 'listTemplates')
      return send(request, ...others)
    }
  await compare(target, started.send, { change: note, steps: 250, seed })
  await started.stop()
  return sent
}

/** Compares a server that is wrong in one thing, and otherwise does as the sandbox assumes, with a sandbox. */
export function compareDeviant(
  { deviation, change }: Deviant,
  options: Pick<Compared, 'seed' | 'steps' | 'startSandbox'> = {},
): Promise<SearchResult> {
  const { wanted, credentials } = otherTarget('http://127.0.0.1', { pipelineId: 'sales', stageId: 'talking' })
  const send = sendTo(new Service(asAssumed, { deviation }))
  const choices = { trailingSlash: 'notFound' } as const
  return compare(createTarget(wanted, credentials), send, { choices, change, steps: 2500, ...options })
}

function compare(
  target: Target,
  send: Send,
  {
    change = (send) => send,
    choices = {},
    startSandbox = startComparedSandbox,
    undetermined,
    ...options
  }: Omit<Compared, 'assume'>,
): Promise<SearchResult> {
  let intents = 0
  const ledger = { intend: () => String(++intents), record: () => undefined }
  const server = new Side({
    target,
    mint: createMint(newMarks()),
    ledger,
    send: change(send),
    judge: new ExchangeJudge(),
  })
  const usual = { steps: 500, seed: 1, most: 1, wording: false, ignored: [] }
  return search({ server, startSandbox, choices, undetermined, ...usual, ...options })
}

/** A choice for every entry, the same for the same seed; a limited rate would end the run. */
export function drawChoices(seed: number, milliseconds = 20): WrittenChoices {
  const drawn = fc.sample(
    fc.record(Object.fromEntries(assumptionNames.map((name) => [name, choiceFor(name, milliseconds)]))),
    {
      seed,
      numRuns: 1,
    },
  )
  return { ...drawn[0], rateLimit: 'none' }
}

const choiceFor = (name: AssumptionName, milliseconds: number) =>
  fc.constantFrom(...Object.entries(assumption(name).choices)).map(([choice, meaning]) => {
    if (typeof meaning === 'string') return choice
    return `${choice}:${meaning.amount.unit === 'milliseconds' ? milliseconds : meaning.amount.usual}`
  })
