import { existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Command } from 'commander'
import { fileError, readText } from '../lib/files.ts'
import { parseOrThrow } from '../lib/json.ts'
import { UserError } from '../lib/user-error.ts'
import { configNames, findConfig } from './config/config-file.ts'

const help = `
The test is for the first test runner that package.json, pyproject.toml, requirements.txt or requirements-dev.txt names, or
for pytest if there is a pytest.ini. No file is overwritten.

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
  const nearest = relative('', findConfig() ?? '')
  const isHere = configNames.includes(nearest)
  const [config = ''] = isHere ? [nearest] : configNames
  const files = [{ path: config, text: configText }, ...(test ? [test] : [])]
  const missing = files.filter(({ path }) => !existsSync(path))
  if (missing.length === 0)
    throw new UserError(
      `There is a file ${files.map(({ path }) => path).join(' and a file ')} already, and init overwrites none.`,
    )
  for (const { path, text } of missing) write(path, text)
  const lines = files.map((file) => (missing.includes(file) ? `Wrote ${file.path}` : `Left ${file.path} as it is`))
  if (nearest !== '' && !isHere) lines.push(`In this folder, ${config} has precedence over ${nearest}`)
  const install = existsSync('node_modules/crm-sandbox') || !existsSync('package.json') ? '' : installing
  lines.push('For a coding assistant: node_modules/crm-sandbox/docs/skills/crm-sandbox/SKILL.md')
  lines.push(test ? `Next: ${install}${test.command} ${test.path}` : withoutTest)
  return `${lines.join('\n')}\n`
}

const installing = 'install crm-sandbox as its README says, then '

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
  const { dependencies, devDependencies, type } = readManifest()
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
  const isNamed = ['pyproject.toml', 'requirements.txt', 'requirements-dev.txt'].some((path) =>
    /\bpytest\b/.test(read(path)),
  )
  if (!isNamed && !existsSync('pytest.ini')) return undefined
  return { path: join(folder, 'test_crm_sandbox.py'), text: pytestText, command: 'pytest' }
}

interface Manifest {
  readonly dependencies?: object
  readonly devDependencies?: object
  readonly type?: string
}

function readManifest(): Manifest {
  const text = read('package.json') || '{}'
  try {
    return parseOrThrow(text) as Manifest
  } catch (error) {
    throw new UserError(`The file package.json is not JSON (${(error as Error).message}).`, { cause: error })
  }
}

const read = (path: string) => (existsSync(path) ? readText(path, `The file ${path}`, (why) => new UserError(why)) : '')

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    throw new UserError(`${fileError(`The file ${path}`, 'written', error)}.`, { cause: error })
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
        line = server.stdout.readline()
        if not line:
            pytest.fail("The sandbox did not start; its standard error says why.")
        yield json.loads(line)
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
