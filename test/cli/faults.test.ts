import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFile } from '../for-one-test.ts'
import { expectError, fewOf, serve } from './command.ts'

const statusOfContacts = async (url: string) => {
  const headers = { 'x-api-key': 'demo-key', 'content-type': 'application/json' }
  const body = '{"firstName":"Ada","lastName":"Lovelace"}'
  return (await fetch(`${url}/api/contacts`, { method: 'POST', headers, body })).status
}

describe('--faults', () => {
  it.each([
    ['faults.yaml', '- { operation: createContact, status: 503, times: 1 }\n- { operation: deleteDeal, delay: 1s }\n'],
    ['faults.json', '[{"operation":"createContact","status":503,"times":1},{"operation":"deleteDeal","delay":"1s"}]'],
  ])('adds the faults of %s before the first request', async (name, text) => {
    const { url } = await serve(['--faults', newFile(name, text)])
    expect([await statusOfContacts(url), await statusOfContacts(url)]).toEqual([503, 201])
    const { data } = (await (await fetch(`${url}/_sandbox/faults`)).json()) as { data: object[] }
    expect(data).toMatchObject([{ status: 503, usedUp: true }, { delay: '1s' }])
  })

  it('is faults in the config file, relative to its folder', async () => {
    const faults = newFile('faults.yaml', '[{ operation: createContact, status: 500 }]')
    const { url } = await serve([], {}, configFor(faults))
    expect(await statusOfContacts(url)).toBe(500)
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
        /^error: Fault 1 of the start is refused: there is no team acme; .*lists them\.$/,
      ],
      ['- later', /^error: Fault 1 of the start is refused: .*\.$/],
      [
        'status: 503',
        /^error: The file of faults .*faults\.yaml cannot be used\. It must be a list, such as \[\{ .* \}\]\.$/,
      ],
      ['', /^error: The file of faults .*faults\.yaml cannot be used\. It must be a list/],
      ['[', /^error: The file of faults .*faults\.yaml cannot be used\. It is neither JSON nor YAML\.$/],
    ] as const),
  )('refuses %j in one sentence', async (text, sentence) => {
    await expectError(['serve', '--port', '0', '--faults', newFile('faults.yaml', text)], sentence, 1)
  })

  it('refuses a file that is not there, and names the variable', async () => {
    const sentence = /^error: CRM_SANDBOX_FAULTS: The file of faults no\.yaml cannot be read \(ENOENT\)\.$/
    await expectError(['serve', '--port', '0'], sentence, 1, { CRM_SANDBOX_FAULTS: 'no.yaml' })
  })
})

/** A folder with a config file that names the file, which is beside it. */
function configFor(faults: string): string {
  const folder = dirname(faults)
  writeFileSync(join(folder, 'crm-sandbox.config.yaml'), 'serve: { faults: faults.yaml }')
  return folder
}
