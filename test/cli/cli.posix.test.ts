import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { flagsOf } from '../../lib/option-schemas.ts'
import { options } from '../../cli/options.ts'
import { assumptionNames, assumptions } from '../../spec/assumptions.ts'
import { expectError, fewOf, run } from './command.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

it('prints its version', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

describe('the help', () => {
  it.each([[], ['assumptions'], ['seed']])('of %s has examples', async (...command) => {
    const { code, stdout } = await run([...command, '--help'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/Examples:\n {2}\$ crm-sandbox/)
  })

  it('of serve lists every option, with its variable', async () => {
    const { stdout } = await run(['serve', '--help'])
    for (const [name, schema] of Object.entries(options)) {
      expect(stdout).toContain(flagsOf(name, schema))
      expect(stdout).toContain(schema.variable)
    }
  })
})

describe('a wrong argument is refused in one sentence, and nothing starts:', () => {
  it.each(
    fewOf<[string, RegExp, ...string[]]>([
      ['brew', /unknown command 'brew'/],
      ['serve more', /too many arguments/],
      ['serve --prot 1', /unknown option '--prot'.*--port/],
      ['serve --__proto__ 1', /unknown option/],
      ['serve --port', /argument missing/],
      ['serve --port=65536', /^error: --port must be a port, from 0 to 65535\.$/],
      ['serve --seed=', /^error: --seed must be a whole number/],
      ['serve --port=0 --host=', /^error: The host .*all interfaces/],
      ['serve --host=nohost_', /^error: The host "nohost_" is no address of this machine\.$/],
      [
        'serve --host=192.0.2.1 --port=0',
        /^error: This machine has no address 192\.0\.2\.1; choose another with --host\.$/,
      ],
      ['serve --allow-host=http://x', /^error: --allow-host must be a name without a port/],
      ['serve --log=', /^error: --log must be text or json, or one of trace, debug, info, warn, error, fatal, or both/],
      ['serve --cors=*', /^error: --cors must be one origin as a browser sends it/],
      ['serve --store=', /^error: --store must be memory, file:PATH, or postgres:/],
      ['serve --world=', /^error: --world must not be empty/],
      ['serve --assume=contactMatching', /is not written as name=choice/],
      ['serve --assume=contactMatchin=refuse', /close to it: contactMatching/],
      ['serve --profile=nowhere.yaml', /^error: The profile nowhere\.yaml cannot be read \(ENOENT\)\.$/],
      ['serve --profile=a\u001b[31m', /^error: --profile must not be empty, nor hold control characters\.$/],
      ['assumptions contactMatchin', /There is no assumption "contactMatchin"; close to it/],
      ['assumptions \u001b[31m\u0007', /There is no assumption/],
      ['\u001b[31mserve', /unknown command/],
    ]),
  )('%j', (line, sentence) => expectError(line.split(' '), sentence, 1))

  it.each<[variable: string, value: string, sentence: RegExp]>([
    ['CRM_SANDBOX_HOST', '192.0.2.1', /^error: This machine has no address 192\.0\.2\.1; .* with CRM_SANDBOX_HOST\.$/],
    ['CRM_SANDBOX_STORE', 'file:no/crm.json', /^error: CRM_SANDBOX_STORE: .*no\/crm\.json .*\.$/],
    ['CRM_SANDBOX_WORLD', 'nowhere.yaml', /^error: CRM_SANDBOX_WORLD: nowhere\.yaml: there is no such file$/],
  ])('names the variable %s if the value %s came from there', (variable, value, sentence) =>
    expectError(['serve'], sentence, 1, { CRM_SANDBOX_PORT: '0', [variable]: value }),
  )
})

describe('a variable of another name', () => {
  it('is reported by each command if the name is close to one of ours', async () => {
    const variables = {
      CRM_SANDBOX_PROFLE: 'x',
      CRM_SANDBOX_TEST_SEED: '1',
      CRM_SANDBOX_OWNER: 'me',
      OTHER_PROFLE: 'x',
    }
    const { code, stderr } = await run(['assumptions', 'keyScope'], variables)
    const sentence = 'CRM_SANDBOX_PROFLE is not a variable of crm-sandbox; close to it: CRM_SANDBOX_PROFILE\n'
    expect({ code, stderr }).toEqual({ code: 0, stderr: sentence })
  })
})

describe('the command assumptions', () => {
  it('lists every question and every choice', async () => {
    const { code, stdout } = await run(['assumptions'])
    expect(code).toBe(0)
    for (const name of assumptionNames)
      expect(stdout).toContain(`${name} (${assumptions[name].certainty}): ${assumptions[name].question}`)
    expect(stdout).toContain('*emailThenPhone')
    expect(stdout).toContain('perMinute:60')
  })

  it('describes one assumption in full', async () => {
    const { stdout } = await run(['assumptions', 'rateLimit'])
    expect(stdout).toContain('*none: any number')
    expect(stdout).toContain(' perMinute:60: this many per minute')
    expect(stdout).toContain('--assume rateLimit=perMinute:60')
    expect(stdout).toContain('A client cannot find out')
  })

  it('prints JSON', async () => {
    expect(JSON.parse((await run(['assumptions', '--json'])).stdout)).toEqual(assumptions)
    expect(JSON.parse((await run(['assumptions', 'keyScope', '--json'])).stdout)).toEqual(assumptions.keyScope)
  })
})
