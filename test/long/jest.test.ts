import { afterAll, beforeAll, expect, it } from 'vitest'
import { Parcel } from '../docs/parcel.ts'
import { examplesIn } from '../docs/pages.ts'

// The package under Jest as it comes: CommonJS, and a module loader of its own.

let parcel: Parcel
beforeAll(() => {
  parcel = new Parcel()
  const packages = [parcel.tarball, 'jest@30.5.2', 'axios@1.21.1']
  parcel.run('npm', 'install', '--omit=optional', '--no-audit', '--no-fund', '--prefer-offline', ...packages)
  parcel.write('package.json', '{ "private": true }')
}, 5 * 60_000)
afterAll(() => {
  parcel[Symbol.dispose]()
})

it('runs the example of the documentation', () => {
  const [example] = examplesIn('docs/testing.md').filter(({ language }) => language === 'js')
  parcel.write('example.test.js', example?.code ?? '')
  expect(runJest('example.test.js')).toMatchObject({ success: true, numPassedTests: 2 })
})

it('takes over a fixed host, a test file after the other, and steers a sandbox elsewhere', () => {
  for (const name of ['one', 'other']) parcel.write(`${name}.test.js`, intercepting)
  expect(runJest('--runInBand', 'one.test.js', 'other.test.js')).toMatchObject({ success: true, numPassedTests: 6 })
})

function runJest(...args: string[]): unknown {
  parcel.run('node', 'node_modules/jest/bin/jest.js', '--json', '--outputFile=report.json', ...args)
  return JSON.parse(parcel.run('cat', 'report.json'))
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
