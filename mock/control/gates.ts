import { type Static, Type } from 'typebox'
import { type Gate as StoredGate, gateStates } from '../faults/gates.ts'
import { failureFields, matchFields, readEffect, readMatch, readTime } from './faults.ts'
import { checkMatch } from './match.ts'
import { readWait } from './outbox.ts'
import { noun, route } from './route.ts'
import { closed, Duration, optionalText } from './schemas.ts'

const GateToAdd = Type.Object(
  { ...matchFields('The nth of the requests; the first by default.'), timeout: Type.Optional(Duration) },
  { ...closed, title: 'GateToAdd' },
)
type GateToAdd = Static<typeof GateToAdd>

const Failure = Type.Object(failureFields, { ...closed, title: 'Failure' })

const Gate = Type.Unsafe<GateToAdd & { id: string; state: StoredGate['state']; matched: number }>(
  Type.Object(
    {
      id: Type.String(),
      ...GateToAdd.properties,
      state: Type.Enum([...gateStates], { description: 'It waits for its request, holds it, or what became of it.' }),
      matched: Type.Integer({ description: 'How many requests it fitted.' }),
    },
    { title: 'Gate', description: 'A gate as it was added, and what became of it.' },
  ),
)
type Gate = Static<typeof Gate>

export const gates = noun(
  'gates',
  'Requests that are held, so that a test decides what happens first.',
  ({ interception: { gates }, store }) => [
    route('POST /gates', {
      id: 'addGate',
      summary: 'Hold one request before its commit',
      description:
        'The request is read, checked and carried out; then what it did is undone, and it waits. Meanwhile other requests of the team go on. When it is released, it is carried out again, on the records of that moment. After `timeout`, 10 seconds by default and 5 minutes at most, it goes on by itself.',
      body: GateToAdd,
      example: { operation: 'sendMessage' },
      status: 201,
      message: 'Gate added',
      data: Gate,
      async handler({ body }) {
        await checkMatch(body, store)
        const timeout = readTime(body.timeout ?? '10s', 'timeout', 5 * 60_000)
        return show(gates.add({ match: readMatch(body), timeout, given: body }))
      },
    }),

    route('GET /gates', {
      id: 'listGates',
      summary: 'List the gates',
      description: 'In the order in which they were added. The oldest that are used up make room for new ones.',
      message: 'Gates found',
      data: Type.Array(Gate),
      handler: async () => gates.all().map(show),
    }),

    route('GET /gates/:gateId', {
      id: 'getGate',
      summary: 'Get one gate, when its request has arrived',
      description: 'Its state is still `waiting` when no request came in time.',
      query: Type.Object(
        { wait: optionalText('How long to wait for the request, such as `5s`; not at all by default.') },
        closed,
      ),
      message: 'Gate found',
      data: Gate,
      handler: async ({ params: { gateId }, query: { wait = '0s' } }) => show(await gates.wait(gateId, readWait(wait))),
    }),

    route('POST /gates/:gateId/release', {
      id: 'releaseGate',
      summary: 'Let the held request go on',
      description: 'When none has come yet, none is held any more.',
      message: 'Gate released',
      data: Gate,
      handler: async ({ params }) => show(gates.release(params.gateId)),
    }),

    route('POST /gates/:gateId/fail', {
      id: 'failGate',
      summary: 'Let the held request fail',
      description: 'It has done nothing.',
      body: Failure,
      example: { status: 500 },
      message: 'Request failed',
      data: Gate,
      handler: async ({ params, body }) => show(gates.fail(params.gateId, readEffect(body))),
    }),

    route('DELETE /gates/:gateId', {
      id: 'deleteGate',
      summary: 'Delete one gate',
      description: 'A request that it holds goes on.',
      message: 'Gate deleted',
      handler: async ({ params }) => {
        gates.remove(params.gateId)
      },
    }),

    route('DELETE /gates', {
      id: 'clearGates',
      summary: 'Delete all gates',
      description: 'Requests that are held lose their connection, and have done nothing.',
      message: 'All gates deleted',
      handler: async () => {
        gates.clear()
      },
    }),
  ],
)

const show = ({ id, given, state, matched }: StoredGate): Gate => ({ id, ...(given as GateToAdd), state, matched })
