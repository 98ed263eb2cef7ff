import { describe, expect, it } from 'vitest'
import { control, type ControlBody } from '../../../mock/testing/control-client.ts'
import { fields, itRefuses, type RefusedCall, unknown } from '../control/refused.ts'
import { createProduct, doors, open } from './helpers.ts'

const badFaults: [unknown, string | RegExp][] = [
  [{ operation: 'createContact' }, 'a fault needs a status, a connection, a body, headers, a delay or responses'],
  [
    { operaton: 'createContact', status: 500 },
    /^operaton is not a field of this request \(did you mean operation\?\), which takes /,
  ],
  [{ operation: 'createContacts', status: 500 }, 'there is no operation createContacts; did you mean createContact?'],
  [{ operation: 'constructor', status: 500 }, /^there is no operation constructor; it must be an operationId/],
  [{ operation: ['createContact', 'brew'], status: 500 }, /^there is no operation brew; /],
  [{ operation: [], status: 500 }, /^operation must be an operationId or a list of them/],
  [{ team: 'initech', status: 500 }, /^there is no team initech; /],
  [{ team: '\u001b[31m', status: 500 }, /^there is no team "\\u001b\[31m"; /],
  [{ where: ['sms'], status: 500 }, /^where must be an object/],
  [{ where: fields(51), status: 500 }, 'where must not have more than 50 fields'],
  [{ nth: 0, status: 500 }, /^nth must be /],
  [{ nth: 1.5, status: 500 }, /^nth must be /],
  [{ times: -1, status: 500 }, /^times must be /],
  [{ phase: 'never', status: 500 }, /^phase must be /],
  [{ status: 100 }, 'status must be a status, from 200 to 599'],
  [{ status: 600 }, 'status must be a status, from 200 to 599'],
  [{ message: 'Later' }, 'message needs a status, such as 500'],
  [{ status: 500, message: 'x'.repeat(1_001) }, /^message must /],
  [{ status: 204, message: 'Later' }, /^an answer with the status 204 has no body/],
  [{ status: 500, retryAfter: '1s' }, 'retryAfter needs the status 429 or 503'],
  [{ status: 429, retryAfter: 'soon' }, 'retryAfter must be a duration such as 30s or 2m, or a number of seconds'],
  [{ status: 429, retryAfter: -1 }, /^retryAfter must be a duration/],
  [{ status: 429, retryAfter: '2d' }, 'retryAfter must be at most 86400 seconds'],
  [{ connection: 'drop' }, /^connection must be /],
  [{ connection: 'close', status: 500 }, /^a connection that ends carries no answer/],
  [{ body: 'xml', status: 500 }, /^body must be /],
  [{ body: 7, status: 500 }, /^body must be "cut", "notJson", a JSON object or a list$/],
  [{ body: {} }, 'body needs a status to answer with, or the phase afterCommit to change the real response'],
  [{ body: {}, status: 204 }, /^an answer with the status 204 has no body/],
  [{ body: {}, status: 500, message: 'Later' }, 'a body of your own has its own message'],
  [
    { body: {}, merge: true, phase: 'onArrival' },
    /^merge changes the real response, so it needs the phase afterCommit$/,
  ],
  [{ body: [], merge: true }, 'merge needs a body that is a JSON object'],
  [{ status: 500, merge: true }, 'merge needs a body that is a JSON object'],
  [
    { headers: { a: 'b' } },
    'headers need a status to answer with, or the phase afterCommit to change the real response',
  ],
  [{ headers: { a: 1 }, status: 500 }, /^headers.a must be a string$/],
  [{ headers: { 'a b': 'c' }, status: 500 }, '"a b" is no header with a value that HTTP can send'],
  [{ headers: { a: 'b\r\nc: d' }, status: 500 }, 'a is no header with a value that HTTP can send'],
  [{ headers: { 'Content-Length': '3' }, status: 500 }, 'the sandbox itself sends the header Content-Length'],
  [{ headers: { trailer: 'x-sum' }, status: 500 }, 'the sandbox itself sends the header trailer'],
  [{ headers: { a: 'b' }, connection: 'close' }, /^a connection that ends carries no answer/],
  [{ phase: 'inBody', headers: { a: 'b' } }, /^the phase inBody takes a delay or a connection only/],
  [{ responses: [] }, /^responses must be a list of 1 to 100 responses/],
  [{ responses: [{ status: 429 }], times: 2 }, /^responses says what happens to each request/],
  [{ responses: [{ status: 429 }], status: 500 }, /^responses says what happens to each request/],
  [
    { responses: [{ stats: 429 }] },
    /^stats is not a field of this request \(did you mean status\?\), which takes delay, status, /,
  ],
  [{ responses: [{ status: 500, retryAfter: 1 }] }, 'retryAfter needs the status 429 or 503'],
  [{ responses: [{ status: 200, body: {}, merge: true }] }, /^merge changes the real response/],
  [{ responses: [{ delay: '61s' }] }, 'delay must be at most 60 seconds'],
  [{ body: 'cut' }, 'body needs a status to answer with, or the phase afterCommit to change the real response'],
  [{ phase: 'inBody', status: 500 }, /^the phase inBody takes a delay or a connection only/],
  [{ delay: 'soon' }, /^delay must be a duration/],
  [{ delay: -1 }, /^delay must be a duration/],
  [{ delay: '61s' }, 'delay must be at most 60 seconds'],
  [{ delay: 1e300 }, /^delay must be a duration/],
  [{ delay: { from: '2s', to: '1s' } }, 'delay.from must not be longer than delay.to'],
  [{ delay: { from: '2s' } }, /^delay must be a duration/],
]

describe('an invalid fault', () => {
  itRefuses([
    ...badFaults.map(([fault, message]): RefusedCall => [
      JSON.stringify(fault).slice(0, 60),
      ({ faults }) => faults.add(fault as ControlBody<'addFault'>),
      message,
    ]),
    ...['fault-1', '../reset', '__proto__', 'x'.repeat(5_000)].flatMap((id): RefusedCall[] => [
      [`get ${id.slice(0, 20)}`, ({ faults }) => faults.get(id), ...unknown],
      [`delete ${id.slice(0, 20)}`, ({ faults }) => faults.delete(id), ...unknown],
    ]),
  ])
})

const badGates: [unknown, string | RegExp][] = [
  [{ times: 2 }, /^times is not a field of this request .*which takes /],
  [{ timeout: '6m' }, 'timeout must be at most 300 seconds'],
  [{ timeout: 'soon' }, /^timeout must be a duration/],
  [{ operation: 'brew' }, /^there is no operation brew/],
  [{ team: 'initech' }, /^there is no team initech/],
]

describe('an invalid gate', () => {
  itRefuses(
    [
      ...badGates.map(([gate, message]): RefusedCall => [
        JSON.stringify(gate),
        ({ gates }) => gates.add(gate as ControlBody<'addGate'>),
        message,
      ]),
      ...['soon', '-1s', '61s', '1d', ''].map((wait): RefusedCall => [
        `wait ${wait}`,
        ({ gates }) => gates.wait('gate-1', { wait }),
      ]),
    ],
    {},
    ({ gates }) => gates.add(),
  )

  it.each([{}, { delay: '1s' }, { status: 99 }, { status: 500, connection: 'close' }, { message: 'x' }])(
    'lets no request fail with %j',
    async (failure) => {
      const { sandbox, send } = await open(doors[0])
      const { id } = await sandbox.gates.add()
      const asked = createProduct(send)
      await sandbox.gates.wait(id)
      for (const { gates } of [sandbox, control({ url: sandbox.url })])
        await expect(gates.fail(id, failure as object)).rejects.toMatchObject({ status: 400 })
      expect(await sandbox.gates.get(id)).toMatchObject({ state: 'held' })
      await sandbox.gates.release(id)
      expect((await asked).status).toBe(201)
    },
  )
})
