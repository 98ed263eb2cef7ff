import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { fileError, readText } from '../shared/files.ts'
import { configNames } from './config-file.ts'

const help = `
A test is written for the first of them that package.json, pyproject.toml or requirements.txt names. No file is overwritten.

Examples:
  $ crm-sandbox init`

export function addInit(program: Command): void {
  program
    .command('init')
    .description('Write a config file with comments here, and a first test for vitest, Jest or pytest.')
    .addHelpText('after', help)
    .action(() => {
      process.stdout.write(init())
    })
}

/** Writes the files, and returns the text that says so. */
function init(): string {
  const test = firstTest()
  const present = [...configNames, ...(test ? [test.path] : [])].find((path) => existsSync(path))
  if (present !== undefined) throw new Error(`There is a file ${present} already, and init overwrites none.`)
  const [config = ''] = configNames
  write(config, configText)
  if (test) write(test.path, test.text)
  const install = existsSync('node_modules/crm-sandbox') || !existsSync('package.json') ? '' : installing
  const next = test ? `Wrote ${test.path}\nNext: ${install}${test.command} ${test.path}` : withoutTest
  return `Wrote ${config}\n${next}\n`
}

const installing = 'npm install --save-dev crm-sandbox && '

const withoutTest = `Wrote no test: init knows vitest, Jest and pytest, and found none of them here.
Next: npx crm-sandbox serve`

interface FirstTest {
  readonly path: string
  readonly text: string
  /** Runs a test by its path. */
  readonly command: string
}

function firstTest(): FirstTest | undefined {
  const folder = ['tests', 'test'].find((name) => existsSync(name)) ?? ''
  const { dependencies, devDependencies, type } = JSON.parse(read('package.json') || '{}') as Manifest
  const packages = Object.keys({ ...dependencies, ...devDependencies })
  if (packages.includes('vitest')) {
    const path = join(folder, `crm-sandbox.test.${existsSync('tsconfig.json') ? 'ts' : 'js'}`)
    return { path, text: vitestText, command: 'npx vitest run' }
  }
  if (packages.includes('jest')) {
    const path = join(folder, 'crm-sandbox.test.js')
    if (type !== 'module') return { path, text: `${jestRequire}${jestText}`, command: 'npx jest' }
    return { path, text: `${jestImport}${jestText}`, command: jestWithModules }
  }
  if (!/\bpytest\b/.test(read('pyproject.toml') + read('requirements.txt'))) return undefined
  return { path: join(folder, 'test_crm_sandbox.py'), text: pytestText, command: 'pytest' }
}

interface Manifest {
  readonly dependencies?: object
  readonly devDependencies?: object
  readonly type?: string
}

const read = (path: string) => (existsSync(path) ? readText(path, `The file ${path}`, (why) => new Error(why)) : '')

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    throw new Error(`${fileError(`The file ${path}`, 'written', error)}.`, { cause: error })
  }
}

const configText = `# yaml-language-server: $schema=./node_modules/crm-sandbox/dist/config.schema.json
# Options of crm-sandbox by command, with their long names. A flag has precedence over its variable, and both over this file.
# \`npx crm-sandbox serve --help\` lists all options of a command.

serve:
  port: 4010
  world: demo # or two-teams, empty, story:shop, or a JSON or YAML file
  # store: file:crm.json # without it, the data is lost when the server stops
  # log: true
  # profile: profile.yaml # what \`npx crm-sandbox learn\` learned from a server
  # Choices for what the specification leaves open; \`npx crm-sandbox assumptions\` lists them.
  # assume: { contactMatching: phoneThenEmail, historyOrder: oldestFirst }

verify:
  # base-url: https://staging.example.com
  # only: [contacts, messages]
`

const vitestImports = `import { sandboxFixtures } from 'crm-sandbox/vitest'\nimport { expect, test as base } from 'vitest'\n`
const vitestText = `${vitestImports}
// A sandbox for each worker, and a new team for each test.
const test = base.extend(sandboxFixtures())

test('creates a contact', async ({ team }) => {
  const { data } = await team.crm.createContact({ firstName: 'Ada', lastName: 'Lovelace' })
  expect(data).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' })
})
`

const jestWithModules = 'node --experimental-vm-modules node_modules/jest/bin/jest.js'

const jestImport = `import { createSandbox } from 'crm-sandbox'\n`
const jestRequire = `const { createSandbox } = require('crm-sandbox')\n`
const jestText = `
let sandbox
beforeAll(async () => {
  sandbox = await createSandbox()
})
afterAll(() => sandbox.close())

test('creates a contact', async () => {
  const { crm } = await sandbox.team() // a new team, with its own key
  const { data } = await crm.createContact({ firstName: 'Ada', lastName: 'Lovelace' })
  expect(data).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' })
})
`

const pytestText = `import json
import shutil
import subprocess
import urllib.request

import pytest


@pytest.fixture(scope="session")
def sandbox():
    """A sandbox for all tests: its URL, and its teams with their keys."""
    command = [shutil.which("npx"), "--yes", "crm-sandbox", "serve", "--port", "0", "--print-json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        yield json.loads(server.stdout.readline())
        server.terminate()


def test_creates_a_contact(sandbox):
    request = urllib.request.Request(
        f"{sandbox['url']}/api/contacts",
        data=json.dumps({"firstName": "Ada", "lastName": "Lovelace"}).encode(),
        headers={"x-api-key": sandbox["teams"][0]["apiKeys"][0], "content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        assert response.status == 201
        assert json.load(response)["data"]["firstName"] == "Ada"
`
