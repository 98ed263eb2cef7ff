import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { examplesIn } from '../docs/examples-of-pages.ts'
import { PackedPackage } from '../docs/packed-package.ts'

// The package installed by npm in an empty folder, as a new user does.

let installed: PackedPackage
beforeAll(() => {
  installed = new PackedPackage()
  installed.install()
  for (const name of ['typescript', '@types/node', 'openapi-fetch', 'openapi-typescript']) installed.borrow(name)
})
afterAll(() => installed[Symbol.dispose]())

it('serves with npx', async () => {
  await using served = await installed.serve('npx', 'crm-sandbox')
  const answer = installed.run(
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
  const script = installed.write('ends.sh', startsAndKills)
  const [url = '', ...rest] = installed.run('sh', script).trim().split('\n')
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(rest).toEqual(['200', 'gone'])
})

it('has fixtures for vitest that work as documented', () => {
  const shown = examplesIn('docs/testing.md').find(({ code }) => code.includes("from 'crm-sandbox/vitest'"))
  installed.write('shown.test.ts', shown?.code ?? '')
  const out = installed.run('npx', 'vitest', 'run', '--maxWorkers', '1', '--reporter', 'json', 'shown.test.ts')
  expect(JSON.parse(out)).toMatchObject({ numTotalTests: 1, numPassedTests: 1 })
})

it('has a document that a client can be made of', () => {
  const document = 'node_modules/crm-sandbox/dist/spec/generated/openapi.json'
  installed.run('node', 'node_modules/openapi-typescript/bin/cli.js', document, '-o', 'crm.d.ts')
  installed.write('client.ts', client)
  installed.run('node', resolve('node_modules/typescript/bin/tsc'), ...strictly, '--skipLibCheck', 'client.ts')
  expect(installed.run('node', 'client.js')).toBe('201 draft lastName is required\n')
})

const json = ['-H', 'x-api-key: demo-key', '-H', 'content-type: application/json']

const strictly = '--strict --exactOptionalPropertyTypes --target es2022 --module nodenext --types node'
  .concat(' --lib es2023,esnext.disposable,dom')
  .split(' ')

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

/** The server gets a minute to exit after npx was killed. */
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
