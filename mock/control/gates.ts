import { type Static, Type } from 'typebox'
import { type Gate as StoredGate, gateStates } from '../faults/gates.ts'
import { failureFields, matchFields, readFailure, readTime } from './faults.ts'
import { checkMatch } from './match.ts'
import { readWait } from './outbox.ts'
import { noun, route } from './route.ts'
import { Duration, input, integer, listOf, oneOf, optionalText, output, queryOf, text } from './schemas.ts'

const GateToAdd = input('GateToAdd', {
  ...matchFields('The nth of the requests; the first by default.'),
  timeout: Type.Optional(Duration),
})
type GateToAdd = Static<typeof GateToAdd>

const Failure = input('Failure', failureFields)

const Gate = output(
  'Gate',
  {
    id: text(),
    ...GateToAdd.properties,
    state: oneOf([...gateStates], 'It waits for its request, holds it, or what became of it.'),
    matched: integer('How many requests it fitted.'),
  },
  'A gate as it was added, and what became of it.',
)
type Gate = Static<typeof Gate>

export const gates = noun(
  'gates',
  'Requests that are held, so that a test decides what happens first.',
  ({ interception: { gates }, store }) => ({
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
        const timeout = readTime(body.timeout ?? '10s', 'timeout', 5 * 60_000)
        return show(await gates.add({ given: body, nth: body.nth ?? 1, times: 1, timeout, state: 'waiting' }))
      },
    }),

    listGates: route('GET /gates', 'List the gates', {
      description: 'In the order in which they were added. The oldest that are used up make room for new ones.',
      message: 'Gates found',
      data: listOf(Gate),
      handler: async () => gates.all().map(show),
    }),

    getGate: route('GET /gates/:gateId', 'Get one gate, when its request has arrived', {
      description: 'Its state is still `waiting` when no request came in time.',
      query: queryOf({
        wait: optionalText('How long to wait for the request, such as `5s`; not at all by default.'),
      }),
      message: 'Gate found',
      data: Gate,
      handler: async ({ params: { gateId }, query: { wait = '0s' } }) =>
        show(await gates.awaitRequest(gateId, readWait(wait))),
    }),

    releaseGate: route('POST /gates/:gateId/release', 'Let the held request go on', {
      description: 'When none has come yet, none is held any more.',
      message: 'Gate released',
      data: Gate,
      handler: async ({ params }) => show(await gates.release(params.gateId)),
    }),

    failGate: route('POST /gates/:gateId/fail', 'Let the held request fail', {
      description: 'It has done nothing.',
      body: Failure,
      example: { status: 500 },
      message: 'Request failed',
      data: Gate,
      handler: async ({ params, body }) => show(await gates.fail(params.gateId, readFailure(body))),
    }),

    deleteGate: route('DELETE /gates/:gateId', 'Delete one gate', {
      description: 'A request that it holds goes on.',
      message: 'Gate deleted',
      handler: async ({ params }) => {
        await gates.remove(params.gateId)
      },
    }),

    clearGates: route('DELETE /gates', 'Delete all gates', {
      description: 'Requests that are held lose their connection, and have done nothing.',
      message: 'All gates deleted',
      handler: async () => {
        await gates.clear()
      },
    }),
  }),
)

const show = ({ id, given, state, matched }: StoredGate): Gate => ({ id, ...(given as GateToAdd), state, matched })
