import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { examplesIn } from '../docs/pages.ts'
import { Parcel } from '../docs/parcel.ts'
import { startFrom } from '../docs/start-from.ts'

// What a stranger does: an empty folder, the package installed with all that it brings, and a client.

let parcel: Parcel
beforeAll(() => {
  parcel = new Parcel()
  parcel.run('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', parcel.tarball)
  for (const name of ['typescript', '@types/node', 'openapi-fetch', 'openapi-typescript']) parcel.borrow(name)
}, 5 * 60_000)
afterAll(() => {
  parcel[Symbol.dispose]()
})

it('is small for somebody who only serves', () => {
  using small = new Parcel()
  small.run('npm', 'install', '--omit=optional', '--no-audit', '--no-fund', '--prefer-offline', small.tarball)
  const size = Number(small.run('du', '-sk', 'node_modules').split('\t')[0])
  const packages = small.run('npm', 'ls', '--all', '--parseable').trim().split('\n').length - 1
  console.log(`Without what is optional: ${packages} packages, ${Math.round(size / 1024)} MB.`)
  expect(size).toBeLessThan(20 * 1024)
  expect(small.run('npx', 'crm-sandbox', '--version')).toBe('0.1.0\n')
})

it('brings nothing that runs while it is installed', () => {
  const lock = JSON.parse(readFileSync(`${parcel.folder}/package-lock.json`, 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean; optional?: boolean }>
  }
  const scripted = Object.entries(lock.packages).filter(
    ([, { hasInstallScript, optional }]) => hasInstallScript && !optional,
  )
  expect(scripted.map(([name]) => name)).toEqual([])
})

it('serves with npx', async () => {
  await using served = await startFrom(parcel, 'npx', 'crm-sandbox')
  const answer = parcel.run(
    'curl',
    '-s',
    `${served.url}/api/contacts`,
    ...json,
    '-d',
    '{"firstName":"Ada","lastName":"L"}',
  )
  expect(JSON.parse(answer)).toMatchObject({ success: true, message: 'Contact created' })
})

it('ends when a script kills the npx that it started', () => {
  const script = parcel.write('ends.sh', startsAndKills)
  const [url = '', ...rest] = parcel.run('sh', script).trim().split('\n')
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(rest).toEqual(['200', 'gone'])
})

it('has types that hold without a library being skipped', () => {
  parcel.write('typed.ts', typed)
  parcel.run('node', resolve('node_modules/typescript/bin/tsc'), ...strictly, 'typed.ts')
  expect(parcel.run('node', 'typed.js')).toBe('Ada absent\n')
})

it('has a control client and a typed client whose types hold', () => {
  parcel.write('steered.ts', steered)
  parcel.run('node', resolve('node_modules/typescript/bin/tsc'), ...strictly, 'steered.ts')
  expect(parcel.run('node', 'steered.js')).toBe('notFound Ada\n')
})

it('has fixtures for vitest whose types hold, and which do what the documentation shows', () => {
  parcel.write('fixtures.ts', fixtures)
  parcel.run('node', resolve('node_modules/typescript/bin/tsc'), ...strictly, '--noEmit', 'fixtures.ts')
  const shown = examplesIn('docs/testing.md').find(({ code }) => code.includes("test } from 'crm-sandbox/vitest'"))
  parcel.write('shown.test.ts', shown?.code ?? '')
  const out = parcel.run('npx', 'vitest', 'run', '--maxWorkers', '1', '--reporter', 'json', 'shown.test.ts')
  expect(JSON.parse(out)).toMatchObject({ numTotalTests: 2, numPassedTests: 2 })
})

it('has a document that a client can be made of', () => {
  const document = 'node_modules/crm-sandbox/dist/spec/generated/openapi.json'
  parcel.run('node', 'node_modules/openapi-typescript/bin/cli.js', document, '-o', 'crm.d.ts')
  parcel.write('client.ts', client)
  parcel.run('node', resolve('node_modules/typescript/bin/tsc'), ...strictly, '--skipLibCheck', 'client.ts')
  expect(parcel.run('node', 'client.js')).toBe('201 draft lastName is required\n')
})

const json = ['-H', 'x-api-key: demo-key', '-H', 'content-type: application/json']

const strictly = '--strict --exactOptionalPropertyTypes --target es2022 --module nodenext --types node'
  .concat(' --lib es2023,esnext.disposable,dom')
  .split(' ')

const typed = `
import { assumptions, createSandbox, type Choice, type Schemas } from 'crm-sandbox'

const choice: Choice<'newContactStatus'> = 'absent'
// @ts-expect-error there is no such choice
const wrong: Choice<'newContactStatus'> = 'ajar'
await using sandbox = await createSandbox({ assume: { newContactStatus: choice } })
const answer = await sandbox.fetch('/api/contacts', {
  method: 'POST',
  headers: { 'x-api-key': 'demo-key', 'content-type': 'application/json' },
  body: JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace' } satisfies Schemas['ContactToCreate']),
})
const { data } = (await answer.json()) as { data: Schemas['Contact'] }
console.log(data.firstName, data.status ?? Object.keys(assumptions.newContactStatus.choices).at(-1))
`

const steered = `
import { createSandbox } from 'crm-sandbox'
import { createClient } from 'crm-sandbox/client'
import { control, type SeenAssumption } from 'crm-sandbox/control'

await using sandbox = await createSandbox({ port: 0 })
const elsewhere = control({ url: sandbox.url })
const { teamId, apiKey } = await elsewhere.teams.create({ name: 'Globex' })
const [switched]: readonly SeenAssumption[] = await elsewhere.assumptions.set({ wrongMethod: 'notFound' })
// @ts-expect-error there is no such choice
await elsewhere.assumptions.set({ wrongMethod: 'ajar' }, { teamId }).catch(() => undefined)
const crm = createClient({ baseUrl: sandbox.url, headers: { 'x-api-key': apiKey } })
const { data } = await crm.createContact({ firstName: 'Ada', lastName: 'Lovelace' })
console.log(switched?.choice, data.firstName)
`

const fixtures = `
import { sandboxTest, test } from 'crm-sandbox/vitest'
import { expect } from 'vitest'

test('has a sandbox and a team', async ({ sandbox, team }) => {
  const { data } = await team.crm.createContact({ firstName: 'Ada', lastName: 'Lovelace' })
  const id: string = data._id
  await sandbox.clock.advance('1d')
  // @ts-expect-error lastName is required
  await team.crm.createContact({ firstName: 'Ada' })
  expect(id).toBe(id)
})

sandboxTest({ url: 'http://127.0.0.1:4010' })('only steers a sandbox that runs elsewhere', async ({ sandbox }) => {
  await sandbox.reset()
  // @ts-expect-error nor does it close it
  await sandbox.close()
})

// @ts-expect-error there is no such option
sandboxTest({ wrld: 'demo' })
`

const client = `
import createClient from 'openapi-fetch'
import { createSandbox } from 'crm-sandbox'
import type { paths } from './crm.js'

const sandbox = await createSandbox({ port: 0 })
const crm = createClient<paths>({ baseUrl: sandbox.url, headers: { 'x-api-key': 'demo-key' } })
const made = await crm.POST('/api/quotes', { body: { dealId: '66f0a1b2c3d4e5f601231001' } })
const refused = await crm.POST('/api/contacts', { body: { firstName: 'Ada' } as never })
console.log(made.response.status, made.data?.data.status, refused.error?.message)
await sandbox.close()
`

/** `wait` takes over npx; the server has half a second to notice, and much longer on a slow computer. */
const startsAndKills = `
npx crm-sandbox serve --port 0 --print-json > served.json &
npx=$!
until [ -s served.json ]; do sleep 0.1; done
url=$(node -p 'JSON.parse(require("fs").readFileSync("served.json", "utf8")).url')
echo "$url"
curl -s -o /dev/null -w '%{http_code}\\n' "$url/openapi.json"
kill $npx
wait $npx
for second in $(seq 60); do
  curl -s -o /dev/null "$url/openapi.json" || { echo gone; exit 0; }
  sleep 1
done
echo still there
`
