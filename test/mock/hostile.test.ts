import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../mock/create-sandbox.ts'
import { furnished } from './asks.ts'
import { openSandbox } from './harness.ts'
import {
  type Attack,
  bodies,
  bodyAttack,
  evil,
  head,
  headers,
  key,
  mebibyte,
  paths,
  queries,
  queryAttack,
  sockets,
} from './hostile-requests.ts'
import { openSocket } from './raw.ts'

/** How many times the CPU time of an ordinary request an answer may take. Time on the clock would count other processes. */
const longest = 20

/** One attempt within the limit is enough, because a garbage collection may fall into any of them. */
const attempts = 10

let sandbox: Sandbox
beforeAll(async () => {
  const assume = {
    contactPhoneForm: 'checked',
    limitAboveLargest: 'refused',
    unknownChannelFilter: 'refused',
    bracketedParameter: 'refused',
  } as const
  sandbox = await createSandbox({ world: furnished, port: 0, assume })
})

afterAll(() => sandbox.close())

const asAttack = ([what, bytes, status]: [string, string, number]): Attack => ({ what, bytes, status })

const doors: [door: string, attacks: Attack[]][] = [
  ['body', bodies.map(bodyAttack)],
  ['query', queries.map(queryAttack)],
  ['header', headers.map(asAttack)],
  ['path', paths.map(([what, target, status]) => ({ what, bytes: head(target, 'GET', [key]), status }))],
  ['connection', sockets.map(asAttack)],
]

describe.each(doors)('a hostile %s', (_door, attacks) => {
  it.each(attacks)('$what: is answered $status with little work, and changes nothing', async ({ bytes, status }) => {
    const most = longest * (await ordinary())
    const answers: Awaited<ReturnType<typeof attack>>[] = []
    do answers.push(await attack(bytes))
    while ((answers.at(-1)?.work ?? 0) > most && answers.length < attempts)
    for (const { head, body } of answers) {
      expect({ head, body: JSON.parse(body) as unknown }).toEqual({
        head: expect.stringMatching(`^HTTP/1.1 ${status} `) as string,
        body: { success: false, message: expect.any(String) as string },
      })
    }
    expect(Math.min(...answers.map(({ work }) => work))).toBeLessThan(most)
    expect(await sandbox.world()).toEqual(furnished)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

it('stores and shows text unchanged that only looks hostile', async () => {
  const { call } = await openSandbox({ assume: { unlistedFields: 'kept' } })
  for (const text of [
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE contacts; --",
    '{{constructor.constructor("return process")()}}',
    '${process.env}',
    '%00%0d%0a',
    '../../../etc/passwd',
    '\u0000\u0001\u001f\u007f',
    '\u202eevil\u202c',
    '\ud800',
    'constructor',
    'a'.repeat(256 * 1024),
    '\u0301'.repeat(10_000),
    '{{'.repeat(32 * 1024),
    '=cmd|"/c calc"!A1',
  ]) {
    const field = text.slice(0, 100)
    const { body } = await call('createProduct', { body: { name: text, unitPrice: 1, [field]: text } })
    expect(body.data).toMatchObject({ name: text, [field]: text })
  }
})

let measured: number | undefined

/** The CPU time of an ordinary request of the largest size. */
async function ordinary(): Promise<number> {
  if (measured !== undefined) return measured
  const words = `{"words":[${evil('"word",', mebibyte - 100)}""]}`
  const { bytes } = bodyAttack(['createContact', 'a list of words', words])
  const times: number[] = []
  while (times.length < attempts) times.push((await attack(bytes)).work)
  return (measured = Math.min(...times))
}

/** Sends the bytes: the answer, and its CPU time in microseconds. */
async function attack(bytes: string | Buffer) {
  const socket = await openSocket(sandbox.url)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const before = process.cpuUsage()
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  await closed
  const { user, system } = process.cpuUsage(before)
  const text = Buffer.concat(chunks).toString()
  const [head = '', body = ''] = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '').split(/\r\n\r\n(.*)/s)
  // Malformed bytes after a request get a second answer.
  return { head, body: body.split('HTTP/1.1')[0] ?? '', work: user + system }
}
