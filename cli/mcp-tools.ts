import { plain } from '../contracts/reports/paint.ts'
import { UserError } from '../lib/user-error.ts'
import { type Action, actions } from '../mock/control/actions.ts'
import type { ControlData, SeenRequest } from '../mock/testing/control-client.ts'
import { type Address, ask } from '../mock/testing/control-requests.ts'
import { isObject } from '../lib/json.ts'
import { noSuch } from '../spec/close-to.ts'
import { inTables } from './ctl-tables.ts'
import { describeRequest, lineOf } from './requests.ts'

type Fields = Readonly<Record<string, unknown>>

interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Fields
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly openWorldHint: false
  }
  readonly call: (address: Address, input: Fields) => Promise<string>
}

interface Plan {
  /** The actions of the control plane that the tool offers, such as `faults.add`. */
  readonly offers: readonly string[]
  /** Whether an action deletes records. */
  readonly isDestructive?: boolean
  /** Fields of the request that the assistant need not name. */
  readonly defaults?: Fields
  /** Formats a response, by default as tables. */
  readonly show?: (message: string, data: unknown) => string
  /** The next step that a result ends with. */
  readonly next: string
}

const most = 20

/** Few, since an assistant reads the schemas of all tools before it does anything. */
const plans: Readonly<Record<string, Plan>> = {
  requests: {
    offers: ['requests.find', 'requests.get'],
    defaults: { last: most },
    show: showRequests,
    next: 'action get with a requestId shows a request in full. Correct a refused one and send it again; records shows what is stored.',
  },
  records: {
    offers: ['records'],
    defaults: { limit: most },
    show: showRecords,
    next: 'search, or a field with its value such as email, finds one record, which is shown with all its fields.',
  },
  changes: { offers: ['changes'], next: 'snapshots saves a point, and since compares with it.' },
  outbox: {
    offers: ['outbox.list'],
    defaults: { limit: most },
    next: 'what is scheduled is sent when the clock gets there: clock with action advance.',
  },
  incoming: { offers: ['incoming.add'], next: 'records of the kind conversations or messages show it.' },
  faults: {
    offers: ['faults.add', 'faults.list', 'faults.clear'],
    next: 'send the request that should fail; then action list says how often each fault applied, and clear deletes them.',
  },
  clock: { offers: ['clock.advance', 'clock.set'], next: 'outbox and changes show what happened on the way.' },
  assumptions: {
    offers: ['assumptions.get', 'assumptions.set', 'assumptions.reset'],
    next: 'code that works with only one of the choices depends on a guess: send its requests again with another choice.',
  },
  snapshots: {
    offers: ['snapshots.save', 'snapshots.restore', 'reset'],
    isDestructive: true,
    next: 'action restore with a name brings a snapshot back, and reset the state of the start; changes is then empty.',
  },
}

/** `started` says that the command started the sandbox, and why. */
export const instructionsFor = (url: string, started = '') =>
  `A sandbox of the CRM Integrator REST API runs at ${url}: it keeps state, sends no message, and may be changed at will. Begin with
the tool state, which has the API keys. Send the requests of the API yourself, to ${url}/api with the header x-api-key; their
document is ${url}/openapi.json. When a request is refused, the tool requests has the reason. Correct the request, not the sandbox.
${started}`.trimEnd()

export function tools(started?: string): readonly Tool[] {
  const all = new Map(actions().map((action) => [action.names.join('.'), action]))
  const offered = Object.entries(plans).map(([name, plan]) =>
    toolOf(
      name,
      plan,
      plan.offers.flatMap((one) => all.get(one) ?? []),
    ),
  )
  return [stateTool(started), ...offered]
}

const stateTool = (started: string | undefined): Tool => ({
  name: 'state',
  description: 'Say where the sandbox is, with its teams and their API keys, its clock, faults and snapshots.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  annotations: annotationsFor(true, false),
  async call(address) {
    const { data } = await ask(address, 'GET /teams', [])
    const ids = (data as readonly { teamId: string }[]).slice(0, most).map(({ teamId }) => teamId)
    const parts = ['GET /health', 'GET /clock', 'GET /snapshots', 'GET /faults'].map((key) => ask(address, key, []))
    const teams = ids.map((id) => ask(address, 'GET /teams/:teamId', [id]))
    const answers = await Promise.all([...parts, ...teams])
    // The ids of the stages of a pipeline are long, and needed in full.
    const texts = answers.map(({ message = '', data }) => showTables(message, data, 1_000))
    return withNext(
      [started ?? `The sandbox at ${address.url}`, ...texts].join('\n\n'),
      'send a request to the API, or call requests.',
    )
  },
})

function toolOf(
  name: string,
  { isDestructive = false, defaults = {}, show = showTables, next }: Plan,
  offered: readonly Action[],
): Tool {
  const verbs = offered.map(verbOf)
  const hasVerbs = verbs.length > 1
  const fields = offered.flatMap((action) => action.fields.map(({ name, schema }) => [name, schema] as const))
  const others = offered.find(({ otherFields }) => otherFields)?.otherFields
  const required = hasVerbs
    ? ['action']
    : offered.flatMap(({ fields }) => fields.filter(({ isRequired }) => isRequired))
  return {
    name,
    description: offered.map((action) => describe(action, hasVerbs)).join('\n'),
    inputSchema: {
      type: 'object',
      properties: {
        ...(hasVerbs && { action: { enum: verbs } }),
        ...Object.fromEntries(fields),
        ...(others && {
          where: { type: 'object', description: 'Fields with their values, such as {"email": "ada@example.com"}.' },
        }),
      },
      required: required.map((field) => (typeof field === 'string' ? field : field.name)),
      // The control plane refuses a field that it does not know, and names the nearest.
      additionalProperties: others ?? true,
    },
    annotations: annotationsFor(
      offered.every(({ isReadOnly }) => isReadOnly),
      isDestructive,
    ),
    async call(address, { action: verb, ...given }) {
      if (hasVerbs && verb === undefined) throw new UserError(`${name} needs action: ${verbs.join(', ')}.`)
      const action = hasVerbs ? offered.find((one) => verbOf(one) === verb) : offered[0]
      if (!action) throw new UserError(noSuch('action', String(verb), verbs))
      const { message = '', data } = await ask(address, action.key, argumentsOf(action, given, defaults))
      return withNext(show(message, data), next)
    },
  }
}

const verbOf = ({ names }: Action) => names.at(-1) ?? ''

function annotationsFor(readOnlyHint: boolean, destructiveHint: boolean): Tool['annotations'] {
  return { readOnlyHint, destructiveHint, openWorldHint: false }
}

/** Its summary, its description, and with several actions its fields. */
function describe(action: Action, hasVerbs: boolean): string {
  const { summary, description, fields } = action
  const about = description.startsWith(`${summary}.`) ? description : `${summary}. ${description}`
  if (!hasVerbs) return about
  const names = fields.map(({ name, isRequired }) => (isRequired ? name : `${name}?`))
  return `${verbOf(action)}(${names.join(', ')}): ${about}`
}

/** The parameters of the path, and the query or the body. */
function argumentsOf(action: Action, given: Fields, defaults: Fields): unknown[] {
  const missing = action.fields.filter(({ name, isRequired }) => isRequired && given[name] === undefined)
  if (missing.length > 0)
    throw new UserError(
      `${verbOf(action)} needs ${missing.map(({ name }) => name).join(' and ')}${action.example ? `, as in ${JSON.stringify(action.example)}` : ''}.`,
    )
  const inPath = action.fields.filter(({ place }) => place === 'path').map(({ name }) => name)
  const usual = Object.entries(defaults).filter(([name]) => action.fields.some((field) => field.name === name))
  const { where, ...others } = Object.fromEntries(Object.entries(given).filter(([name]) => !inPath.includes(name)))
  const fields = where === undefined ? {} : action.otherFields && isObject(where) ? where : { where }
  return [...inPath.map((name) => given[name]), { ...Object.fromEntries(usual), ...others, ...fields }]
}

function showTables(message: string, data: unknown, width = 160): string {
  let left = 0
  const cut: unknown = JSON.parse(JSON.stringify(data ?? null), (_, value: unknown) => {
    if (!Array.isArray(value)) return value
    left += Math.max(0, value.length - most)
    return value.slice(0, most) as unknown[]
  })
  const text = inTables(message, cut ?? undefined, width, 'not shown', width / 4)
  return left > 0 ? `${text}\n… and ${left} more` : text
}

function showRecords(message: string, data: unknown): string {
  const { records } = data as { readonly records: readonly object[] }
  return showTables(message, records.length === 1 ? records[0] : data)
}

function showRequests(message: string, data: unknown): string {
  if (!Array.isArray(data)) return describeRequest(data as SeenRequest, plain)
  const seen = data as ControlData<'findRequests'>
  if (seen.length === 0) return `${message}: none`
  const lines = seen.map((request) => lineOf(request, plain))
  return [...((seen.unanswered ?? []).length > 0 ? [message] : []), ...lines].join('\n')
}

const longest = 8_000

function withNext(text: string, next: string): string {
  const short = text.length > longest ? `${text.slice(0, longest)}\n… cut; ask for less` : text
  return `${short}\n\nNext: ${next}`
}
