import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const script = resolve('scripts/build-spec.mjs')
const generatedFolders = ['spec/generated', 'control/generated']
const generated = ['spec/generated/openapi.json', 'spec/generated/api.ts']

describe('a broken document', () => {
  const damages: [what: string, file: string, from: string, to: string, words: string][] = [
    ['YAML that cannot be read', 'deals', '    post:', '    post: [', 'Failed to parse'],
    [
      'a $ref to a missing schema',
      'contacts',
      '/ContactToCreate',
      '/NoContact',
      "Can't resolve $ref (at #/paths/contacts/post/",
    ],
    ['a $ref to a missing file', 'openapi', 'quotes.yaml#', 'none.yaml#', "Can't resolve $ref: ENOENT"],
    ['a missing effect', 'companies', 'x-effect: write\n', '\n', 'x-effect must be one of read, write, platform, send'],
    [
      'an unknown effect',
      'products',
      'x-effect: write',
      'x-effect: shout',
      'x-effect must be one of read, write, platform,',
    ],
    [
      'a missing operationId',
      'templates',
      'operationId: listTemplates\n',
      '\n',
      'Operation object should contain `operationId`',
    ],
    ['a duplicate operationId', 'messages', 'Id: sendMessage', 'Id: listMessages', 'must have a unique `operationId`'],
    [
      'an example that does not match its schema',
      'conversations',
      'lifecycleStage: Lead',
      'lifecycleStage: 7',
      'Example value must',
    ],
  ]
  const lines = new Map<string, number>()
  let folder: string
  let outcome: Outcome

  beforeAll(async () => {
    folder = await copyOfTheSpec()
    for (const [what, file, from, to] of damages) lines.set(what, await change(folder, file, from, to))
    outcome = await buildSpec(folder)
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('is refused', () => {
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).not.toContain(folder)
  })

  test.each(damages)('is refused with the file and the place: %s', (what, file, _from, _to, words) => {
    const sentences = outcome.stderr.split('\n').filter((sentence) => sentence.includes(words))
    expect(sentences).toContainEqual(expect.stringMatching(new RegExp(`^spec/${file}.yaml:\\d+:\\d+ `)))
  })

  test('is refused with the exact line', () => {
    expect(outcome.stderr).toContain(`spec/products.yaml:${lines.get('an unknown effect')}:17 x-effect must be`)
  })

  test('generates nothing', async () => {
    await expect(stat(join(folder, 'spec/generated'))).rejects.toThrow('ENOENT')
  })
})

describe.concurrent('what is generated', { timeout: 60_000 }, () => {
  test('is up to date with spec/*.yaml', async () => {
    expect(await buildSpec(process.cwd(), '--check')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('is the same for the same document', async () => {
    const folder = await copyOfTheSpec()
    expect(await buildSpec(folder)).toEqual({ code: 0, stdout: '', stderr: '' })
    for (const file of generated) expect(await readFile(join(folder, file), 'utf8')).toBe(await readFile(file, 'utf8'))
    await rm(folder, { recursive: true })
  })

  test('is reported as out of date when the document changes', async () => {
    const folder = await copyOfTheSpec()
    for (const name of generatedFolders) await cp(name, join(folder, name), { recursive: true })
    await change(folder, 'contacts', 'summary: Create a contact\n', 'summary: Make a contact\n')
    expect(await buildSpec(folder, '--check')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'spec/generated/openapi.json is not what the YAML beside it says: run `npm run spec:build`.\n',
    })
    await rm(folder, { recursive: true })
  })

  test('keeps the names of components, but not what only the YAML files need', async () => {
    const document = await readFile('spec/generated/openapi.json', 'utf8')
    expect(document).toContain('"#/components/schemas/Contact"')
    expect(document).not.toContain('x-examples')
    expect(document).not.toContain('.yaml')
  })
})

async function copyOfTheSpec(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-sandbox-'))
  await cp('redocly.yaml', join(folder, 'redocly.yaml'))
  for (const name of ['spec', 'control'])
    await cp(name, join(folder, name), { recursive: true, filter: (path) => !/generated|\.ts$/.test(path) })
  return folder
}

/** Replaces the first occurrence, and returns its line. */
async function change(folder: string, file: string, from: string, to: string): Promise<number> {
  const path = join(folder, 'spec', `${file}.yaml`)
  const [before, ...after] = (await readFile(path, 'utf8')).split(from)
  if (before === undefined || after.length === 0) throw new Error(`${file}.yaml does not contain ${from}`)
  await writeFile(path, before + to + after.join(from))
  return before.split('\n').length
}

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

function buildSpec(cwd: string, ...args: string[]): Promise<Outcome> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [script, ...args], { cwd }, (_, stdout, stderr) => {
      done({ code: child.exitCode ?? -1, stdout, stderr })
    })
  })
}
