import { describe, expect, it } from 'vitest'
import { openSandbox, twoTeams } from '../helpers.ts'

const createdAt = '2026-03-01T09:30:00.000Z'
const [acme] = twoTeams.teams

/** As JSON of more than 64 KiB, which is parsed in parts. */
const contacts = Array.from({ length: 300 }, (_, at) => ({
  _id: `contact ${at}`,
  firstName: 'Ada "]},{[" \\',
  lastName: `Lovelace\\`,
  email: `ada${at}@example.com`,
  phone: '+14155550123',
  teamId: 'acme',
  createdAt,
  updatedAt: createdAt,
  additionalFields: { list: [[], {}, [{ at }], 'é\u2028'] },
}))
/** A list and an object that are parsed in parts themselves. */
const longFields = {
  ...Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`field ${at}`, [at, { at: 'x'.repeat(50) }]])),
  'long\\"': Array.from({ length: 8_000 }, (_, at) => ({ at })),
}
const worldOf = (more: object) => ({ teams: [{ ...acme, contacts, ...more }] })
const world = worldOf({ contacts: [...contacts, { ...contacts[0], _id: 'long', additionalFields: longFields }] })

async function open() {
  const { sandbox } = await openSandbox()
  const put = async (body: string) => {
    const headers = { 'content-type': 'application/json' }
    const response = await sandbox.fetch('/_sandbox/world', { method: 'PUT', headers, body })
    const { message } = (await response.json()) as { message: string }
    return { status: response.status, message }
  }
  return { sandbox, put }
}

it.each([
  ['on one line', JSON.stringify(world)],
  ['indented', JSON.stringify(world, null, '\t')],
  ['after a byte order mark', `\ufeff${JSON.stringify(world)}`],
  ['between spaces', ` \r\n${JSON.stringify(world)}\t\n`],
  ['with a repeated field', JSON.stringify(world).replace('{', `{"teams":[${'{},'.repeat(30_000)}{}],`)],
])('a long world %s is loaded as it is', async (_, body) => {
  const { sandbox, put } = await open()
  expect(await put(body)).toEqual({ status: 200, message: 'World loaded' })
  expect(await sandbox.world()).toEqual(world)
})

describe('a long world is refused', () => {
  const text = JSON.stringify(world)
  const first = JSON.stringify(contacts[0])
  const last = text.lastIndexOf(']')

  it.each([
    ['with a comma at the end of a list', text.replace(/\](?=\}\]\}$)/, ',]')],
    ['with a comma at the end of an object', text.replace(/\}$/, ',}')],
    ['with a comma after a long value', text.replace(/\}$/, ',}')],
    ['with two commas', text.replace(first, `${first},`)],
    ['with two commas before a long value', text.replace('"contacts":', ',"contacts":')],
    ['with a comma at the start', text.replace('{', '{,')],
    ['with a bracket too many', `${text.slice(0, last)}]${text.slice(last)}`],
    ['with a bracket too few', text.slice(0, last) + text.slice(last + 1)],
    ['with the wrong bracket', `${text.slice(0, last)}}${text.slice(last + 1)}`],
    ['with a list of fields', text.replace('{"teams":[', '["teams":[').replace(/\}$/, ']')],
    ['with an object of values', text.replace('"contacts":', '')],
    ['with a name without quotes', text.replace('"contacts":', 'contacts:')],
    ['with a name without a colon', text.replace('"contacts":', '"contacts"')],
    ['with another sign after a name', text.replace('"contacts":', '"contacts"=')],
    ['of brackets without an end', `{"teams":${'['.repeat(500_000)}`],
    ['with a long number', '1'.repeat(100_000).concat('x')],
    ['with text after its end', `${text}1`],
    ['with two values', `${text}${text}`],
    ['with another kind of space', `\u00a0${text}`],
    ['without its end', text.slice(0, -1_000)],
    ['without the end of a text', text.slice(0, text.lastIndexOf('"'))],
    ['of nothing but spaces', ' '.repeat(100_000)],
  ])('%s', async (_, body) => {
    const { sandbox, put } = await open()
    expect(() => JSON.parse(body) as unknown).toThrow(SyntaxError)
    expect(await put(body)).toEqual({ status: 400, message: 'the body must be valid JSON' })
    expect((await sandbox.world()).teams).toEqual(twoTeams.teams)
  })

  const listOf = (item: string, count: number) => `[${`${item},`.repeat(count)}${item}]`
  const contactWith = (fields: string) => text.replace('"additionalFields":{', `"additionalFields":{${fields},`)
  const tooMany = 'contacts[0] ("contact 0"): it must not have more than 100000 fields and items'
  const reserved = 'the body must not hold the keys __proto__ or constructor.prototype'

  it.each([
    ['of too many values', `{"teams":${listOf('{}', 1_000_000)}}`, 'the body must not have more than 2000000 values'],
    [
      'of too many levels',
      `{"teams":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
      'the body must not be nested deeper than 38 levels',
    ],
    [
      'with an object of too many fields',
      JSON.stringify(worldOf(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`field${at}`, 0])))),
      'an object of the body must not have more than 10000 fields',
    ],
    [
      'with a record of too many values',
      contactWith(`"many":${listOf('0', 100_000)}`),
      `the world: team acme, ${tooMany}`,
    ],
    ['with a reserved name', contactWith('"__proto__":0'), reserved],
    ['with a reserved name in escapes', contactWith(String.raw`"\u005f_proto__":0`), reserved],
    ['with a long value of a reserved name', contactWith(`"__proto__":${listOf('0', 50_000)}`), reserved],
    ['with a long prototype', contactWith(`"constructor":{"prototype":${listOf('0', 50_000)}}`), reserved],
  ])('%s', async (_, body, message) => {
    const { sandbox, put } = await open()
    expect(await put(body)).toEqual({ status: 400, message })
    expect((await sandbox.world()).teams).toEqual(twoTeams.teams)
  })
})

it('a request without a world may not be as long as one with a world', async () => {
  const { sandbox } = await openSandbox({ port: 0 })
  await expect(sandbox.faults.add({ status: 500, body: { long: 'x'.repeat(1024 * 1024) } })).rejects.toMatchObject({
    status: 400,
    message: 'a request to the control plane without a world must not be larger than 1 MiB',
  })
  expect(await sandbox.faults.list()).toEqual([])
})
