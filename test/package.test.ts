import { homedir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFrom } from './docs/start-from.ts'
import { Parcel } from './docs/parcel.ts'

// The package as it is published, opened beside its dependencies alone. test/long installs it for good.

let parcel: Parcel
beforeAll(() => {
  parcel = new Parcel()
  parcel.unpack()
}, 60_000)
afterAll(() => {
  parcel[Symbol.dispose]()
})

it.each([
  'README.md',
  'CHANGELOG.md',
  'DEPENDENCIES.md',
  'LICENSE',
  'docs/assumptions.md',
  'docs/control-plane.md',
  'docs/worlds.md',
  'dist/spec/generated/openapi.json',
  'dist/fixtures/worlds/demo.yaml',
  'dist/fixtures/worlds/two-teams.yaml',
  'dist/fixtures/worlds/empty.yaml',
])('holds %s', (file) => {
  expect(parcel.files).toContain(file)
})

it('holds no test, no source, and no map to one', () => {
  const strange = parcel.files.filter((file) => /\.test\.|\.map$|(?<!\.d)\.ts$|^(?:test|bench|scripts)\//.test(file))
  expect(strange).toEqual([])
  expect(parcel.files.filter((file) => parcel.read(file).includes('sourceMappingURL='))).toEqual([])
})

it('holds no path of the machine that packed it', () => {
  const told = [process.cwd(), homedir()].filter((path) => path.length > 1)
  expect(parcel.files.filter((file) => told.some((path) => parcel.read(file).includes(`${path}/`)))).toEqual([])
})

it('is smaller than a photograph', () => {
  console.log(`The package: ${Math.round(parcel.size / 1024)} KiB, ${parcel.files.length} files.`)
  expect(parcel.size).toBeLessThan(1024 * 1024)
})

it('needs nothing but its dependencies to serve', async () => {
  await using served = await startFrom(parcel, 'node', 'node_modules/crm-sandbox/dist/bundle/cli.cjs')
  const answer = await fetch(`${served.url}/api/templates?page=1&limit=10&types=sms&statuses=approved`, {
    headers: { 'x-api-key': 'demo-key' },
  })
  expect(await answer.json()).toMatchObject({ success: true, message: '1 template' })
  expect(await (await fetch(`${served.url}/docs`)).text()).toContain('<title>CRM Integrator REST API</title>')
})

it('can be imported', () => {
  const program = parcel.write('imported.mjs', importing)
  expect(parcel.run('node', program)).toBe('200 1.0.0 function\n')
})

const importing = `
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createSandbox } from 'crm-sandbox'
import { verify } from 'crm-sandbox/contracts'

const sandbox = await createSandbox({ store: 'file:./crm.json' })
const { status } = await sandbox.fetch('/openapi.json')
await sandbox.close()
const document = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('crm-sandbox/openapi.json')), 'utf8'))
console.log(status, document.info.version, typeof verify)
`
