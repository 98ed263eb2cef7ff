import { describe, expect, test } from 'vitest'
import { describedOperations, document, resolve } from '../../spec/document.ts'
import { operations, type OperationId } from '../../spec/operations.ts'
import { promises, type PromiseEntry, type PromiseGroup } from '../../spec/promises.ts'
import { sections } from '../../spec/sections.ts'
import { isObject } from '../../lib/json.ts'

const operationIds = Object.keys(operations) as OperationId[]

const aboutOf: Record<PromiseGroup, string> = {
  envelope: 'envelope',
  access: 'access',
  errors: 'error',
  conversations: 'conversation',
  messages: 'message',
  templates: 'template',
  contacts: 'contact',
  companies: 'company',
  products: 'product',
  deals: 'deal',
  quotes: 'quote',
}

describe('Every promise', () => {
  test('has a unique id', () => expect(repeated(promises.map(({ id }) => id))).toEqual([]))

  test('has an id that starts with its subject', () => {
    const odd = promises.filter(({ id, group }) => !new RegExp(`^${aboutOf[group]}\\.[a-z][a-zA-Z0-9]+$`).test(id))
    expect(odd.map(({ id }) => id)).toEqual([])
  })

  test('belongs to a section of the specification', () =>
    expect(promises.filter(({ section }) => !sections.includes(section)).map(({ id }) => id)).toEqual([]))

  test('is one sentence', () => {
    const sentence = /^[A-Z`](?!.*[.!?] [A-Z]).+\.$/
    expect(promises.filter(({ words }) => !sentence.test(words)).map(({ words }) => words)).toEqual([])
  })

  test('states its status, and has each status that it states', () => {
    const odd = promises.filter(({ words, status, values = [] }) => {
      const stated = words.match(/\b[2-5]\d\d\b/g)?.map(Number) ?? []
      return status === undefined ? stated.some((one) => !values.includes(one)) : !stated.includes(status)
    })
    expect(odd.map(({ id, words }) => [id, words])).toEqual([])
  })

  test('has unique words', () => expect(repeated(promises.map(({ words }) => words.toLowerCase()))).toEqual([]))

  test('promises nothing that the specification leaves open', () => {
    const open = /not shown|unspecified|undocumented/i
    const told = promises.flatMap(({ words, reason = '' }) => [words, reason])
    expect(told.filter((text) => open.test(text))).toEqual([])
  })

  test('has a reason if it is only usual, and names its assumption, or says why the sandbox needs none', () => {
    const grounds = promises.map(({ id, strength, reason, assumption, follows }) => ({
      id,
      found: [strength, reason, assumption ?? follows].map((part) => part !== undefined),
    }))
    expect(grounds.filter(({ found }) => new Set(found).size > 1).map(({ id }) => id)).toEqual([])
  })

  test('applies to operations that exist, each named once', () => {
    const odd = promises.filter((entry) => {
      const named: readonly string[] = operationsOf(entry)
      return (
        named.length === 0 || repeated(named).length > 0 || named.some((id) => !operationIds.some((is) => is === id))
      )
    })
    expect(odd.map(({ id }) => id)).toEqual([])
  })

  test('applies to fields that the document has for each of its operations', () => {
    const unknown = promises.flatMap((entry) =>
      operationsOf(entry).flatMap((operation) =>
        (entry.fields ?? [])
          .filter((field) => !documented(operation).fields.has(field.split('.').at(-1) ?? ''))
          .map((field) => [entry.id, field]),
      ),
    )
    expect(unknown).toEqual([])
  })

  test('lists no field or value twice, and never an empty list', () => {
    const lists = promises.flatMap(({ id, fields, values }) => [
      { id, list: fields },
      { id, list: values },
    ])
    expect(lists.filter(({ list }) => list?.length === 0 || repeated(list ?? []).length > 0)).toEqual([])
  })
})

describe('Every operation', () => {
  test.each(operationIds)('%s has a promise that does not apply to all operations', (operation) => {
    const own = promises.filter((entry) => entry.operations !== 'all' && entry.operations.includes(operation))
    expect(own).not.toEqual([])
  })

  test.each(operationIds)('%s has a promise for each success status of the document, and for no other', (operation) => {
    const promised = promises
      .filter((entry) => entry.status && entry.status < 400 && operationsOf(entry).includes(operation))
      .map(({ status }) => status)
    expect(promised.toSorted()).toEqual(operations[operation].successStatuses.toSorted())
  })

  test.each(operationIds)(
    '%s has promises for the fields that the document requires, and for no others',
    (operation) => {
      const promised = promises
        .filter(({ kind, operations }) => kind === 'missing' && operations.includes(operation))
        .flatMap(({ fields = [] }) => fields)
      expect(new Set(promised)).toEqual(documented(operation).required)
    },
  )

  test.each(operationIds)('%s has promises for all values that the document lists', (operation) => {
    const promised = promises
      .filter((entry) => operationsOf(entry).includes(operation))
      .flatMap(({ values = [] }): readonly unknown[] => values)
    expect([...documented(operation).values].filter((value) => !promised.includes(value))).toEqual([])
  })
})

function operationsOf({ operations }: PromiseEntry): readonly OperationId[] {
  return operations === 'all' ? operationIds : operations
}

function repeated<Item>(items: readonly Item[]): Item[] {
  return items.filter((item, index) => items.indexOf(item) < index)
}

interface Documented {
  /** Of the request and of the answers, at any depth. */
  fields: Set<string>
  /** Of the request. */
  required: Set<string>
  /** Of the request. */
  values: Set<unknown>
}

function documented(operation: OperationId): Documented {
  const described = describedOperations(document).find(({ operationId }) => operationId === operation)
  const query = described?.parameters.filter((parameter) => parameter.in === 'query') ?? []
  const request = saidBy([described?.requestBody, query.map(({ schema }) => schema)])
  const answers = saidBy(described?.responses)
  return {
    fields: new Set([...query.map(({ name }) => name), ...request.fields, ...answers.fields]),
    required: new Set([...query.filter(({ required }) => required).map(({ name }) => name), ...request.required]),
    values: request.values,
  }
}

/** The fields and values of a part of the document, including its references. */
function saidBy(part: unknown): Documented {
  const said: Documented = { fields: new Set(), required: new Set(), values: new Set() }
  const seen = new Set<unknown>()
  const read = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return
    seen.add(part)
    const here: Record<string, unknown> = resolve(document, part as Record<string, unknown>)
    if (isObject(here.properties)) Object.keys(here.properties).forEach((field) => said.fields.add(field))
    if (Array.isArray(here.required)) here.required.forEach((field: string) => said.required.add(field))
    if (Array.isArray(here.enum)) here.enum.forEach((value) => said.values.add(value))
    if ('const' in here) said.values.add(here.const)
    const { example: _example, examples: _examples, if: _condition, ...rest } = here
    Object.values(rest).forEach(read)
  }
  read(part)
  return said
}
