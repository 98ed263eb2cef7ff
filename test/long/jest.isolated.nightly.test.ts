import { afterAll, beforeAll, expect, it } from 'vitest'
import { PackedPackage } from '../docs/packed-package.ts'
import { examplesIn } from '../docs/examples-of-pages.ts'

// The package under Jest without configuration: CommonJS, and the module loader of Jest.

let installed: PackedPackage
beforeAll(() => {
  installed = new PackedPackage()
  installed.install('--omit=optional', 'jest@30.5.2', 'axios@1.21.1')
  installed.write('package.json', '{ "private": true }')
})
afterAll(() => installed[Symbol.dispose]())

it('runs the example of the documentation', () => {
  const [example] = examplesIn('docs/testing.md').filter(({ language }) => language === 'js')
  installed.write('example.test.js', example?.code ?? '')
  expect(runJest('example.test.js')).toMatchObject({ success: true, numPassedTests: 1 })
})

it('intercepts a fixed host in successive test files, and controls a sandbox of another process', () => {
  for (const name of ['one', 'other']) installed.write(`${name}.test.js`, intercepting)
  expect(runJest('--runInBand', 'one.test.js', 'other.test.js')).toMatchObject({ success: true, numPassedTests: 6 })
})

it('intercepts fetch in a test file that loads no other client', () => {
  installed.write('alone.test.js', interceptingFetch)
  expect(runJest('alone.test.js')).toMatchObject({ success: true, numPassedTests: 1 })
})

it('is swept: choices reach the sandboxes of each test file, and marks come back', () => {
  for (const [name, test] of Object.entries(standing)) installed.write(`${name}.swept.js`, test)
  const only = ['--only', 'newContactStatus', '--only', 'deleteAgain', '--only', 'newContactLifecycle']
  const jest = ['node', 'node_modules/jest/bin/jest.js', '--testMatch', '**/*.swept.js']
  const script = 'node node_modules/crm-sandbox/dist/cli.js sweep "$@" || echo "exit code $?"'
  const swept = installed.run('sh', '-c', script, 'sh', ...only, '--report-json', 'sweep.json', '--', ...jest)
  expect(swept).toContain('exit code 1\n')
  expect(swept.match(/^ {2}Your tests.*$/gm)).toEqual([
    '  Your tests pass only if `deleteAgain` is `notFound`.',
    '  Your tests pass only if `newContactStatus` is `open`.',
  ])
  expect(JSON.parse(installed.run('cat', 'sweep.json'))).toMatchObject({
    relied: ['deleteAgain', 'newContactLifecycle', 'newContactStatus'],
  })
})

function runJest(...args: string[]): unknown {
  installed.run('node', 'node_modules/jest/bin/jest.js', '--json', '--outputFile=report.json', ...args)
  return JSON.parse(installed.run('cat', 'report.json'))
}

const intercepting = `
const axios = require('axios')
const { createSandbox, CrmError } = require('crm-sandbox')
const { control } = require('crm-sandbox/control')
const client = require('crm-sandbox/client')

const origin = 'https://crm.example.com'
let sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ intercept: origin })
})
afterAll(() => sandbox.close())

test('answers fetch', async () => {
  const answer = await fetch(origin + '/_sandbox/health')
  expect((await answer.json()).message).toBe('The sandbox is up')
})

test('answers axios', async () => {
  const { data } = await axios.get(origin + '/_sandbox/health')
  expect(data.message).toBe('The sandbox is up')
})

test('is steered by the client of the control plane', async () => {
  const team = await control({ url: sandbox.url }).team()
  const error = await team.crm.deleteDeal('nothing').catch((why) => why)
  expect(error).toBeInstanceOf(CrmError)
  expect(client.CrmError).toBe(CrmError)
})
`

const interceptingFetch = `
const { createSandbox } = require('crm-sandbox')

test('answers fetch', async () => {
  const sandbox = await createSandbox({ intercept: 'https://crm.example.com' })
  const answer = await fetch('https://crm.example.com/_sandbox/health').finally(() => sandbox.close())
  expect((await answer.json()).message).toBe('The sandbox is up')
})
`

const standing = {
  contact: `
const { createSandbox } = require('crm-sandbox')

test('creates an open contact', async () => {
  const sandbox = await createSandbox()
  const team = await sandbox.team()
  const { data } = await team.crm.createContact({ firstName: 'Ada', lastName: 'Lovelace' })
  expect(data.status).toBe('open')
  await sandbox.close()
})
`,
  product: `
const { createSandbox } = require('crm-sandbox')

test('deletes a product once', async () => {
  const sandbox = await createSandbox()
  const team = await sandbox.team()
  const { data } = await team.crm.createProduct({ name: 'Engine', unitPrice: 12 })
  await team.crm.deleteProduct(data._id)
  await expect(team.crm.deleteProduct(data._id)).rejects.toMatchObject({ status: 404 })
  await sandbox.close()
})
`,
}
