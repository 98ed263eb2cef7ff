import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFile, postAs } from '../for-one-test.ts'
import { expectError, fewOf, serve } from './command.ts'

const statusOfContacts = async (url: string) =>
  (await fetch(`${url}/api/contacts`, postAs('demo-key', { firstName: 'Ada', lastName: 'Lovelace' }))).status

const faultsOf = async (url: string) => {
  const { data } = (await (await fetch(`${url}/_sandbox/faults`)).json()) as { data: object[] }
  return data
}

describe('--faults', () => {
  it.each([
    ['faults.yaml', '- { operation: createContact, status: 503, times: 1 }\n- { operation: deleteDeal, delay: 1s }\n'],
    ['faults.json', '[{"operation":"createContact","status":503,"times":1},{"operation":"deleteDeal","delay":"1s"}]'],
  ])('adds the faults of %s before the first request', async (name, text) => {
    const { url } = await serve(['--faults', newFile(name, text)])
    expect([await statusOfContacts(url), await statusOfContacts(url)]).toEqual([503, 201])
    expect(await faultsOf(url)).toMatchObject([{ status: 503, usedUp: true }, { delay: '1s' }])
  })

  it('is faults in the config file, relative to its folder', async () => {
    const faults = newFile('faults.yaml', '[{ operation: createContact, status: 500 }]')
    const { url } = await serve([], {}, configFor(faults))
    expect(await statusOfContacts(url)).toBe(500)
  })

  it.each([
    ['block', 'serve:\n  faults:\n    - operation: createContact\n      status: 500\n    - { status: 418, nth: 9 }\n'],
    [
      'JSON',
      '{ "serve": { "faults": [{ "operation": "createContact", "status": 500 }, { "status": 418, "nth": 9 }] } }',
    ],
  ])('is a list in the config file, as %s', async (_, text) => {
    const { url } = await serve(['--config', newFile('config.yaml', text)])
    expect(await statusOfContacts(url)).toBe(500)
    expect(await faultsOf(url)).toMatchObject([
      { operation: 'createContact', status: 500 },
      { status: 418, nth: 9 },
    ])
  })

  it('is a list in its variable', async () => {
    const { url } = await serve([], { CRM_SANDBOX_FAULTS: '[\n  { "operation": "createContact", "status": 500 }\n]' })
    expect(await statusOfContacts(url)).toBe(500)
  })

  it.each(
    fewOf([
      ['[{ status: 700 }]', /^error: serve\.faults in \S+: Fault 1 of the start is refused: status must be a status/],
      ['[503]', /^error: serve\.faults in \S+: Fault 1 of the start is refused: .*\.$/],
      ['{ status: 503 }', /^error: The config file \S+ cannot be used\. serve\.faults must be one value\.$/],
    ] as const),
  )('refuses %s in the config file in one sentence', async (list, sentence) => {
    await expectError(['serve', '--config', newFile('config.yaml', `serve: { faults: ${list} }`)], sentence, 1)
  })

  it.each(
    fewOf([
      ['- status: 700', /^error: Fault 1 of the start is refused: status must be a status, from 200 to 599\.$/],
      [
        '- status: 503\n- { operation: createContakt, status: 503 }',
        /^error: Fault 2 of the start is refused: there is no operation createContakt; did you mean createContact\?$/,
      ],
      [
        '- { team: acme, status: 503 }',
        /^error: Fault 1 of the start is refused: there is no team acme; .*shows them\.$/,
      ],
      ['- later', /^error: Fault 1 of the start is refused: .*\.$/],
      [
        'status: 503',
        /^error: The file of faults .*faults\.yaml cannot be used\. It must be a list, such as \[\{ .* \}\]\.$/,
      ],
      ['', /^error: The file of faults .*faults\.yaml cannot be used\. It must be a list/],
      [
        '[',
        /^error: The file of faults .*faults\.yaml cannot be used\. It is neither JSON nor YAML \(line 1, column 2: .*\)\.$/,
      ],
    ] as const),
  )('refuses %j in one sentence', async (text, sentence) => {
    await expectError(['serve', '--port', '0', '--faults', newFile('faults.yaml', text)], sentence, 1)
  })

  it('refuses a file that is not there, and names the variable', async () => {
    const sentence = /^error: CRM_SANDBOX_FAULTS: The file of faults no\.yaml cannot be read \(ENOENT\)\.$/
    await expectError(['serve', '--port', '0'], sentence, 1, { CRM_SANDBOX_FAULTS: 'no.yaml' })
  })
})

/** A folder with the file, and a config file that names it. */
function configFor(faults: string): string {
  const folder = dirname(faults)
  writeFileSync(join(folder, 'crm-sandbox.config.yaml'), 'serve: { faults: faults.yaml }')
  return folder
}
