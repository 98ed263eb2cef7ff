import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { expectError, fewOf, run, serve } from './command.ts'
import { newFile, newFolder } from '../for-one-test.ts'

describe('serve takes its options from the config file', () => {
  it('of a folder above, and relative paths start there', async () => {
    const folder = newFolder()
    const below = join(folder, 'packages/app')
    mkdirSync(below, { recursive: true })
    writeFileSync(
      join(folder, 'crm-sandbox.config.yml'),
      'serve:\n  world: two-teams\n  store: file:crm.json\n  print-json: true\n  faults-by-header: false\n',
    )
    const { url, banner } = await serve([], {}, below)
    expect(JSON.parse(banner)).toMatchObject({ world: 'two-teams', teams: [{}, {}] })
    expect(existsSync(join(folder, 'crm.json'))).toBe(true)
    const refused = { headers: { 'x-api-key': 'acme-key', prefer: 'code=404' } }
    expect((await fetch(`${url}/api/templates?page=1&limit=10&types=sms&statuses=approved`, refused)).status).toBe(200)
  })

  it('in JSON too, and from the nearest file', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'app'))
    writeFileSync(join(folder, 'crm-sandbox.config.yaml'), 'serve: { world: two-teams }')
    writeFileSync(join(folder, 'app/crm-sandbox.config.json'), '{ "$schema": "x", "serve": { "world": "empty" } }')
    const { banner } = await serve(['--print-json'], {}, join(folder, 'app'))
    expect(JSON.parse(banner)).toMatchObject({ world: 'empty' })
  })

  const file = 'serve: { world: two-teams, assume: { contactMatching: refuse, historyOrder: oldestFirst } }'
  it.each([
    ['has precedence over the default', [], {}, 'two-teams'],
    ['yields to a variable', [], { CRM_SANDBOX_WORLD: 'empty' }, 'empty'],
    ['yields to a flag', ['--world', 'story:shop'], { CRM_SANDBOX_WORLD: 'empty' }, 'story:shop'],
  ] as const)('which %s', async (_, flags, variables, world) => {
    const { banner } = await serve(['--config', newFile('c.yaml', file), '--print-json', ...flags], variables)
    expect(JSON.parse(banner)).toMatchObject({ world })
  })

  it('in which a flag or a variable replaces one assumption and keeps the others', async () => {
    const { banner } = await serve(
      ['--config', newFile('c.yaml', file), '--print-json', '--assume', 'bulkDuplicates=twice'],
      { CRM_SANDBOX_ASSUME: 'contactMatching=phoneThenEmail' },
    )
    expect(JSON.parse(banner)).toMatchObject({
      assumptions: { bulkDuplicates: 'twice', contactMatching: 'phoneThenEmail', historyOrder: 'oldestFirst' },
    })
  })
})

describe('every other command takes its options from the config file', () => {
  const path = () =>
    newFile(
      'crm-sandbox.config.yaml',
      'verify: { only: [quotes, products] }\nworld: { contacts: 3, seed: 7, out: made.yaml }\nseed: { base-url: http://127.0.0.1:1, world: demo }',
    )
  const verifiedWith = async (...flags: string[]) => {
    const { stdout } = await run(['verify', '--list', '--config', path(), ...flags])
    return [...new Set(stdout.match(/^\w+(?=\.)/gm))]
  }

  it('where a flag replaces a list', async () => {
    expect(await verifiedWith()).toEqual(['product', 'quote'])
    expect(await verifiedWith('--only', 'companies')).toEqual(['company'])
  })

  it('and takes --config before the name of the command', async () => {
    const config = path()
    expect(await run(['--config', config, 'world'])).toMatchObject({ code: 0, stdout: '' })
    const { teams } = parse(readFileSync(config.replace('crm-sandbox.config', 'made'), 'utf8')) as {
      teams: { contacts: unknown[] }[]
    }
    expect(teams[0]?.contacts).toHaveLength(3)
  })

  it('except one that conflicts with a flag', async () => {
    const config = newFile('c.yaml', 'world: { story: shop }')
    const { stdout } = await run(['world', '--config', config, '--contacts', '3'])
    expect((parse(stdout) as { teams: { contacts: unknown[] }[] }).teams[0]?.contacts).toHaveLength(3)
  })

  it('and a variable has precedence', async () => {
    const seed = ['seed', '--config', path()]
    await expectError(seed, /127\.0\.0\.1:1\b/)
    await expectError(seed, /127\.0\.0\.1:2\b/, 2, { CRM_BASE_URL: 'http://127.0.0.1:2' })
  })
})

const refused: [string, RegExp][] = [
  ['serv: { port: 0 }', /Its first level names commands, and there is no command serv; close to it: serve, observe\.$/],
  ['serve: { prot: 0 }', /serve has no option prot; close to it: port\.$/],
  ['serve: { no-faults-by-header: true }', /serve has no option no-faults-by-header; close to it: faults-by-header\.$/],
  ['serve: { config: other.yaml }', /serve has no option config/],
  ['verify: { baseUrl: http://127.0.0.1:1 }', /verify has no option baseUrl; close to it: base-url\.$/],
  ['serve: 4010', /serve must give names their values, such as port: 4010\.$/],
  ['port: 4010', /Its first level names commands, and there is no command port\.$/],
  ['[serve]', /It must give names their values, such as serve: \{ port: 4010 \}\.$/],
  ['serve: { port: many }', /serve\.port must be a number\.$/],
  ['serve: { port: [0] , open: ja }', /serve\.open must be true or false\.$/],
  ['serve: { world: [demo, empty] }', /serve\.world must be one value\.$/],
  ['serve: { cors: [{ a: b }] }', /serve\.cors must be a list of texts\.$/],
  ['serve: { assume: { a: [b] } }', /serve\.assume must be a list of texts\.$/],
  ['serve: { assume: { contactMaching: refuse } }', /serve\.assume is invalid\. .* close to it: contactMatching/],
  ['serve: { assume: { contactMatching: refused } }', /serve\.assume is invalid\. contactMatching must be \w+ or/],
  ['serve: { assume: { rateLimit: perMinute } }', /serve\.assume is invalid\. rateLimit must be .* perMinute:60, with/],
  ['verify: { up-to: far }', /verify\.up-to is invalid\. Allowed choices are/],
  ['serve: { world: demo, world: empty }', /neither YAML nor JSON \(line 1: Map keys must be unique\)\.$/],
]

describe('a config file', () => {
  it.each(fewOf(refused))('with %s is refused in one sentence that names the file', (text, sentence) =>
    expectError(
      ['serve', '--config', newFile('c.yaml', text)],
      new RegExp(`The config file .*c\\.yaml .*${sentence.source}`),
      1,
    ),
  )

  it.each([
    ['serve', 'serve: { port: 99999 }', /serve\.port in .*c\.yaml must be a port/, 1],
    ['serve', 'serve: { store: file:no/crm.json }', /serve\.store in .*c\.yaml: .*no\/crm\.json is in /, 1],
    ['serve', 'serve: { profile: no.yaml }', /serve\.profile in .*c\.yaml: .*no\.yaml cannot be read/, 1],
    ['verify', 'verify: { report-json: . }', /verify\.report-json in .*c\.yaml: The report .* cannot be written/, 2],
    ['verify', 'verify: { timeout: 0 }', /verify\.timeout in .*c\.yaml must be a number from/, 2],
  ] as const)('with a value that only %s refuses is refused, with the name of the option in the file', (...given) => {
    const [command, text, sentence, code] = given
    return expectError([command, '--config', newFile('c.yaml', text)], sentence, code)
  })

  it.each([
    ['nowhere.yaml', /The config file nowhere\.yaml cannot be used\. It cannot be read \(ENOENT\)\.$/],
    ['.', /The config file \. cannot be used\. It cannot be read \(EISDIR\)\.$/],
  ])('at %s, which cannot be read, is refused', (path, sentence) => expectError(['verify', '--config', path], sentence))
})

describe('the schema of the package', () => {
  const schema = JSON.parse(readFileSync('dist/config.schema.json', 'utf8')) as object
  const isValid = new Ajv({ allowUnionTypes: true }).compile(schema)

  it.each([
    'serve:\n  port: 4010\n  world: two-teams\n  assume: { contactMatching: phoneThenEmail }\n',
    'serve: { assume: { rateLimit: perMinute:90, keyScope: team } }',
    'serve: { assume: [contactMatching=refuse], cors: http://localhost:5173, log: true, seed: 1, open: false }',
    'verify: { base-url: https://staging.example.com, up-to: read, only: [contacts], strict: true }',
    '$schema: ./node_modules/crm-sandbox/dist/config.schema.json\nserve:\n',
    'sweep: { env: { CRM_BASE_URL: API_ROOT }, at-once: 2 }\nrequests: { last: 5 }',
  ])('takes what the commands take: %j', async (text) => {
    expect(isValid(parse(text)), JSON.stringify(isValid.errors)).toBe(true)
    expect(await run(['assumptions', 'keyScope', '--config', newFile('c.yaml', text)])).toMatchObject({ code: 0 })
  })

  it.each(refused.slice(0, -1))('refuses %s too', (text) => expect(isValid(parse(text))).toBe(false))
})
