import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const name = '(?:message|sentence|complaint|reason|words|why)'
const search = 'match|matchAll|split|replace|replaceAll|includes|startsWith|endsWith|search|indexOf'

/** A sentence that is searched, divided or edited, or that a regular expression is tested on. */
const parsing = new RegExp(`\\b${name}\\)?\\.(?:${search})\\(|\\.(?:test|exec)\\((?:\\w+\\.)*${name}\\)`)

/** The sentence is not ours, or is only laid out. */
const allowed: Readonly<Record<string, string>> = {
  'cli/commands.ts': 'prints each problem of a world on a line of its own',
  'cli/options.ts': 'words are the parts of a value',
  'cli/requests.ts': 'a sentence over HTTP has no period at its end, and may be a question',
  'contracts/checks/effects.ts': 'the message is of the server',
  'contracts/client/clean.ts': 'the message is of the server',
  'contracts/client/first-requests.ts': 'the sandbox may be of another version',
  'contracts/compare/difference.ts': 'the message is of the server',
  'contracts/learn/probes/requests.ts': 'the message is of the server',
  'contracts/reports/report-forms.ts': 'shows the first line',
  'contracts/reports/terminal.ts': 'breaks lines',
  'fixtures/check-world.ts': 'the message is of JSON.stringify',
  'fixtures/load-world.ts': 'the message is of JSON.parse',
  'lib/read-yaml.ts': 'the message is of the library',
  'mock/store/postgres/open-postgres.ts': 'the message is of the database',
}

const files = ['cli', 'contracts', 'fixtures', 'lib', 'mock', 'spec'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(room, file)),
)

it('parses no sentence of ours, and each file that parses another says whose it is', () => {
  const found = files.filter((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .some((line) => parsing.test(line)),
  )
  expect(found.toSorted()).toEqual(Object.keys(allowed))
})
