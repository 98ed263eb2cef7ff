import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { order } from '../../contracts/run.ts'
import { type PromiseGroup, promises } from '../../spec/promises.ts'

const contracts = resolve(import.meta.dirname, '../../contracts/checks')
const files = readdirSync(contracts).filter((file) => file.endsWith('.contract.ts'))
const checks = files.flatMap((file) =>
  [...readFileSync(join(contracts, file), 'utf8').matchAll(/^keeps\(\s*'([^']+)'/gm)].map(([, id = '']) => ({
    file,
    id,
  })),
)

/** The files of a group, where it is not one file of the same name. */
const places: Readonly<Partial<Record<PromiseGroup, readonly string[]>>> = {
  access: ['access', 'isolation'],
  contacts: ['contacts', 'contact-deletions'],
  conversations: ['conversations', 'conversations-by-address'],
  errors: ['envelope'],
  messages: ['messages', 'live-messages', 'email-messages', 'text-messages', 'bulk-messages', 'message-history'],
  templates: ['templates', 'template-changes', 'template-lists'],
}

/** The files with checks of several groups, each about one thing. */
const acrossGroups = ['required-fields', 'retries']

const filesOf = (group: PromiseGroup) =>
  [...(places[group] ?? [group]), ...acrossGroups].map((place) => `${place}.contract.ts`)

describe('The checks', () => {
  it.each(promises)('cover $id, once', ({ id, group }) => {
    const held = checks.filter((check) => check.id === id)
    expect(held.map(({ file }) => file)).toEqual([expect.toBeOneOf(filesOf(group))])
  })

  it('cover nothing else', () => {
    const ids: readonly string[] = promises.map(({ id }) => id)
    expect(checks.filter(({ id }) => !ids.includes(id))).toEqual([])
  })

  it('are run in an order that names each of their files', () => {
    expect(files.map((file) => file.replace('.contract.ts', '')).toSorted()).toEqual(order.toSorted())
  })

  it('are all written so that this test sees them', () => {
    const calls = files.flatMap((file) => readFileSync(join(contracts, file), 'utf8').match(/\bkeeps\(/g) ?? [])
    expect(calls.length).toBe(checks.length)
  })
})
