import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { verified } from '../contracts/verified.ts'

/** As it was learned from a server whose ids are numbers and have prefixes, and that shows more than is documented. */
const profile = `
badPage: clamped
emailStored: lowerCase
voice:
  messages:
    createContact: { 201: 'Der Kontakt {firstName} ist gespeichert' }
    deleteContactsByEmail: { 200: '{count} Kontakte sind weg' }
  badField: { missing: '"{field}" fehlt', wrong: '"{field}" ist ungültig' }
  ids: { contacts: '{digits:12}', deals: 'deal_{lowercase:16}', products: '{uuid}', templates: '{digits:10}' }
  times: { precision: seconds, offset: '+02:00' }
  fields: { contacts: { __v: number, seenAt: time, ownerId: id }, deals: { tags: list, closedAt: 'null' } }
  meta: { requestId: id, version: number }
  headers: { x-ratelimit-limit: 100, x-ratelimit-remaining: '{remaining}', x-request-id: '{uuid}' }
`

it('finds no promise broken by a sandbox that speaks as another server does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'voice-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const path = join(folder, 'learned.yaml')
  writeFileSync(path, profile)
  const { code, stdout } = await verified({ profile: path })
  expect(stdout).toContain('Verdict: conformant.')
  expect(code).toBe(0)
})
