import { execFileSync } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFile, newFolder } from '../for-one-test.ts'
import { expectError, serve } from './command.ts'

const providers = [
  '{ _id: email-provider, channel: email, address: hello@shop.example.com }',
  "{ _id: sms-provider, channel: sms, address: '+14155550100' }",
  "{ _id: whatsapp-provider, channel: whatsapp, address: '+14155550101' }",
]

const worldOf = (name: string, key = 'shop-key') =>
  `teams: [{ _id: shop, name: ${name}, apiKeys: [${key}], providers: [${providers.join()}] }]`

describe('--watch', () => {
  it.each<[how: string, write: (file: string, text: string) => void]>([
    ['writes', writeFileSync],
    ['replaces', replaceFile],
  ])('loads the world again when an editor %s its file, also for a reset', async (_, write) => {
    const { file, nameOfTeam, post } = await serveWorld()
    write(file, worldOf('Second'))
    await expect.poll(nameOfTeam).toBe('Second')
    write(file, worldOf('Third'))
    await expect.poll(nameOfTeam).toBe('Third')
    await post('reset')
    expect(await nameOfTeam()).toBe('Third')
    await post('teams/shop/reset')
    expect(await nameOfTeam()).toBe('Third')
  })

  it('keeps the faults and the switched assumptions', async () => {
    const { file, url, nameOfTeam } = await serveWorld(['--faults', newFile('faults.yaml', '[{ status: 503 }]')])
    const headers = { 'content-type': 'application/json' }
    const body = '{"choices":{"contactMatching":"phoneThenEmail"}}'
    await fetch(`${url}/_sandbox/assumptions`, { method: 'PUT', headers, body })
    writeFileSync(file, worldOf('Second'))
    await expect.poll(nameOfTeam).toBe('Second')
    expect(await choicesOf(url)).toMatchObject({ contactMatching: 'phoneThenEmail' })
    expect((await fetch(`${url}/api/templates`)).status).toBe(503)
  })

  it('keeps the world and prints the fault of the file, until it is whole', async () => {
    const { file, nameOfTeam, stderr } = await serveWorld()
    writeFileSync(file, 'teams: [{ _id: shop, name: Half')
    await expect.poll(stderr).toMatch(/^The sandbox keeps its world\. .*shop\.yaml, line 1, column \d+: [^\n]+$/m)
    expect(await nameOfTeam()).toBe('First')
    writeFileSync(file, '['.repeat(1_000_000))
    await expect
      .poll(stderr)
      .toMatch(/^The sandbox keeps its world\. .*shop\.yaml, line 1, column \d+: its parts are nested/m)
    rmSync(file)
    await expect.poll(stderr).toMatch(/^The sandbox keeps its world\. .*shop\.yaml: there is no such file$/m)
    expect(await nameOfTeam()).toBe('First')
    writeFileSync(file, worldOf('Whole'))
    await expect.poll(nameOfTeam).toBe('Whole')
    await expect.poll(stderr).toMatch(/^Loaded .*shop\.yaml\.$/m)
  })

  it('keeps the world when a key of the file is the control token', async () => {
    const token = 'a-token-of-16-characters'
    const { file, nameOfTeam, stderr } = await serveWorld(['--control-token', token], token)
    writeFileSync(file, worldOf('Second', token))
    await expect
      .poll(stderr)
      .toMatch(/^The sandbox keeps its world\. The control token is an API key of team shop; choose another key$/m)
    expect(await nameOfTeam()).toBe('First')
  })

  it('loads a file again that changed since it was read, before the server listened', async () => {
    const pipe = join(newFolder(), 'profile.yaml')
    execFileSync('mkfifo', [pipe])
    const file = newFile('shop.yaml', worldOf('First'))
    const starting = serveWorld(['--profile', pipe], '', file)
    const profile = await open(pipe, 'w') // when the server opens it, it has read the world
    writeFileSync(file, worldOf('Second'))
    await profile.writeFile('contactMatching: refuse')
    await profile.close()
    const { nameOfTeam, url } = await starting
    await expect.poll(nameOfTeam).toBe('Second')
    expect(await choicesOf(url)).toMatchObject({ contactMatching: 'refuse' })
  })

  it('replaces the faults of the file, and keeps the others', async () => {
    const faults = newFile('faults.yaml', '[{ operation: createContact, status: 500 }, { status: 503, nth: 900 }]')
    const server = await serve(['--faults', faults, '--watch'])
    const stderr = outputOf(server)
    const url = `${server.url}/_sandbox/faults`
    const statuses = async () => {
      const { data } = (await (await fetch(url)).json()) as { data: { status: number }[] }
      return data.map(({ status }) => status)
    }
    const headers = { 'content-type': 'application/json' }
    await fetch(url, { method: 'POST', headers, body: '{"operation":"createDeal","status":429}' })
    writeFileSync(faults, '[{ operation: createContact, status: 502 }]')
    await expect.poll(statuses).toEqual([429, 502])
    writeFileSync(faults, '[{ status: 504 }, { status: 700 }]')
    await expect
      .poll(stderr)
      .toMatch(/^The sandbox keeps its faults\. Fault 2 of the start is refused: status must be a status/m)
    expect(await statuses()).toEqual([429, 502])
  })

  it('loads the profile again, and keeps the one before when it is invalid', async () => {
    const file = newFile('profile.yaml', 'contactMatching: refuse')
    const server = await serve(['--profile', file, '--watch', '--assume', 'keyScope=team'])
    const stderr = outputOf(server)
    writeFileSync(file, '{ contactMatching: phoneThenEmail, keyScope: teamAndOperation }')
    await expect
      .poll(() => choicesOf(server.url))
      .toMatchObject({ contactMatching: 'phoneThenEmail', keyScope: 'team' })
    writeFileSync(file, 'contactMatchin: refuse')
    await expect
      .poll(stderr)
      .toMatch(/The sandbox keeps its profile\. The profile .*profile\.yaml cannot be used\. There is no assumption/)
    writeFileSync(file, 'bodyLimit: tenMiB')
    await expect.poll(stderr).toMatch(/profile\.yaml changes bodyLimit, which needs a new start of the server\.\n$/)
    expect(await choicesOf(server.url)).toMatchObject({ contactMatching: 'phoneThenEmail' })
    writeFileSync(file, '{}')
    await expect.poll(() => choicesOf(server.url)).toMatchObject({ contactMatching: 'emailThenPhone' })
  })

  it('is refused without a file', async () => {
    const sentence =
      /^error: --watch needs a file to watch: --world shop\.yaml, --profile profile\.yaml, or --faults faults\.yaml\.$/
    await expectError(['serve', '--port', '0', '--world', 'two-teams', '--watch'], sentence, 1)
  })
})

async function serveWorld(args: readonly string[] = [], token = '', file = newFile('shop.yaml', worldOf('First'))) {
  const server = await serve(['--world', file, '--watch', ...args])
  const { url } = server
  const nameOfTeam = async () => {
    const headers = { 'x-sandbox-token': token }
    const { data } = (await (await fetch(`${url}/_sandbox/teams`, { headers })).json()) as { data: { name: string }[] }
    return data[0]?.name
  }
  const post = (path: string) => fetch(`${url}/_sandbox/${path}`, { method: 'POST' })
  return { file, url, nameOfTeam, post, stderr: outputOf(server) }
}

function outputOf({ child }: Awaited<ReturnType<typeof serve>>): () => string {
  let text = ''
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}

async function choicesOf(url: string): Promise<object> {
  const { data } = (await (await fetch(`${url}/_sandbox/assumptions`)).json()) as {
    data: { name: string; choice: string }[]
  }
  return Object.fromEntries(data.map(({ name, choice }) => [name, choice]))
}

/** As editors save a file: they write another one, and rename it. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}~`, text)
  renameSync(`${file}~`, file)
}
