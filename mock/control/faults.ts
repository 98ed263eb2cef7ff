import { pluralize } from '../../lib/text.ts'
import { checkFailure, checkFault, phaseOf } from '../http/faults/failure.ts'
import { type StoredGate, timeoutOf } from '../http/faults/gates.ts'
import { Failure, Fault, FaultToAdd, Gate, GateToAdd, type StoredFault } from '../http/faults/schemas.ts'
import { isUsedUp } from '../http/faults/interception.ts'
import { describeNearest, type EntryFilter } from '../http/journal/filter.ts'
import { checkMatch } from './context.ts'
import { readWait } from './messages.ts'
import { RejectedNow } from '../core/rejections.ts'
import { noun, route } from './route.ts'
import { listOf, optionalText, queryOf } from '../core/schemas.ts'

const inOrder = 'In the order in which they were added. The oldest that are used up make room for new ones.'

export const faults = noun(
  'faults',
  'Requests that fail, wait or lose their answer.',
  ({ interception: { faults }, store }) => ({
    addFault: route('POST /faults', 'Make requests fail, wait or lose their answer', {
      description:
        'The fault applies to requests that come from now on, until it is used up, deleted or reset. Of several that match a request at the same phase, the first applies. An answer that a fault made names it in the header `x-sandbox-fault`.',
      body: FaultToAdd,
      example: { operation: 'sendMessage', phase: 'afterCommit', connection: 'close', times: 1 },
      status: 201,
      message: 'Fault added',
      data: Fault,
      async handler({ body }) {
        await checkMatch(body, store)
        checkFault(body)
        return showFault(await faults.add({ ...body, fired: 0 }))
      },
    }),

    listFaults: route('GET /faults', 'List the faults, with how often each applied', {
      description: inOrder,
      message: 'Faults found',
      data: listOf(Fault),
      handler: async () => (await faults.list()).map(showFault),
    }),

    verifyFaults: route('GET /faults/verify', 'Verify that each fault applied to a request', {
      description: 'Answered 409, with a sentence that names them, when faults of the list never applied.',
      message: 'Each fault applied',
      async handler() {
        const unused = (await faults.list()).filter(({ fired }) => fired === 0)
        if (unused.length > 0) throw new RejectedNow(409, unused.slice(0, 5).map(describeUnused).join('; '))
      },
    }),

    getFault: route('GET /faults/:faultId', 'Get one fault, with how often it applied', {
      message: 'Fault found',
      data: Fault,
      handler: async ({ params }) => showFault(await faults.get(params.faultId)),
    }),

    deleteFault: route('DELETE /faults/:faultId', 'Delete one fault', {
      message: 'Fault deleted',
      handler: ({ params }) => faults.remove(params.faultId),
    }),

    clearFaults: route('DELETE /faults', 'Delete all faults', {
      description: 'Requests that a fault delays lose their connection.',
      message: 'All faults deleted',
      handler: () => faults.clear(),
    }),
  }),
)

export const gates = noun(
  'gates',
  'Requests that are held, so that a test decides what happens first.',
  ({ interception: { gates }, journal, worlds, store }) => ({
    addGate: route('POST /gates', 'Hold one request before its commit', {
      description:
        'The request is read, checked and carried out; then what it did is undone, and it waits. Meanwhile other requests of the team go on. When it is released, it is carried out again, on the records of that moment. After `timeout`, 10 seconds by default and 5 minutes at most, it goes on by itself.',
      body: GateToAdd,
      example: { operation: 'sendMessage' },
      status: 201,
      message: 'Gate added',
      data: Gate,
      async handler({ body }) {
        await checkMatch(body, store)
        timeoutOf(body)
        return gates.add({ ...body, state: 'waiting' })
      },
    }),

    listGates: route('GET /gates', 'List the gates', {
      description: inOrder,
      message: 'Gates found',
      data: listOf(Gate),
      handler: async () => (await gates.list()).map(showGate),
    }),

    getGate: route('GET /gates/:gateId', 'Get one gate, when its request has arrived', {
      description: 'Answered 409 when it is still `waiting` at the end of the time.',
      query: queryOf({
        wait: optionalText('How long to wait for the request, such as `5s`; not at all by default.'),
      }),
      message: 'Gate found',
      data: Gate,
      async handler({ params: { gateId }, query: { wait = '0s' } }) {
        const milliseconds = readWait(wait)
        const gate = await gates.awaitRequest(gateId, milliseconds)
        if (gate.state !== 'waiting' || milliseconds === 0) return showGate(gate)
        const { operation, team, where, matched } = gate
        const filter = { operation, team, where, refused: false } as EntryFilter
        const reason = `${fitting(matched)}${await describeNearest(filter, journal, worlds.secrets)}`
        return gates.changes.refuseLate(`${gateId} held no request within ${milliseconds} ms, since ${reason}`)
      },
    }),

    releaseGate: route('POST /gates/:gateId/release', 'Let the held request go on', {
      description: 'When none has come yet, none is held any more.',
      message: 'Gate released',
      data: Gate,
      handler: async ({ params }) => showGate(await gates.release(params.gateId)),
    }),

    failGate: route('POST /gates/:gateId/fail', 'Let the held request fail', {
      description: 'It has done nothing.',
      body: Failure,
      example: { status: 500 },
      message: 'Request failed',
      data: Gate,
      async handler({ params, body }) {
        checkFailure(body)
        return showGate(await gates.fail(params.gateId, body))
      },
    }),

    deleteGate: route('DELETE /gates/:gateId', 'Delete one gate', {
      description: 'A request that it holds goes on.',
      message: 'Gate deleted',
      handler: ({ params }) => gates.remove(params.gateId),
    }),

    clearGates: route('DELETE /gates', 'Delete all gates', {
      description: 'Requests that are held lose their connection, and have done nothing.',
      message: 'All gates deleted',
      handler: () => gates.clear(),
    }),
  }),
)

function describeUnused({ id, matched, fired, ...fault }: StoredFault): string {
  return `${id} never fired, since ${whyUnused(fault, matched)}: ${JSON.stringify(fault).slice(0, 200)}`
}

function whyUnused(fault: Omit<StoredFault, 'id' | 'matched' | 'fired'>, matched: number): string {
  const phase = phaseOf(fault)
  if (matched === 0 && phase !== 'onArrival') return `no request that matches it came as far as ${phase}`
  if (matched < (fault.nth ?? 1)) return fitting(matched)
  return `another fault applied to the ${pluralize(matched, 'request')} that matched it`
}

const fitting = (matched: number) =>
  matched === 0 ? 'no request matched it' : `only ${pluralize(matched, 'request')} matched it`

const showFault = (fault: StoredFault): Fault => ({ ...fault, usedUp: isUsedUp(fault) })

const showGate = ({ failure, ...gate }: StoredGate): Gate => gate
