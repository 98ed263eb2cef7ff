import { describe, expect, test } from 'vitest'
import { resolved, type Document, type Schema } from '../../spec/document.ts'
import { shapesOf } from '../../spec/shapes.ts'

const name = { type: 'object', properties: { name: { type: 'string' } } }
const age = { properties: { age: {} } }
const ada = { name: 'Ada', age: 36 }

describe('a closed check', () => {
  test.each<[string, Schema, unknown]>([
    ['a field that then adds', { ...name, if: name, then: age }, ada],
    ['a field that else adds', { ...name, if: { not: name }, else: age }, ada],
    ['a field of a branch', { ...name, anyOf: [age] }, ada],
    ['an object that is free', { ...name, additionalProperties: true }, ada],
    ['an object that says so itself', { ...name, unevaluatedProperties: true }, ada],
    ['an object whose form is not documented', { type: 'object' }, ada],
  ])('leaves alone %s', (_, schema, value) => {
    expect(shapeOf(schema).closed(value)).toBeUndefined()
  })

  test('refuses a field below a name that is free', () => {
    const people = { type: 'object', additionalProperties: name }
    expect(shapeOf(people).closed({ ada })).toBe('ada.age is not a field of this request')
  })

  test('takes a condition as it is', () => {
    const schema = { type: 'object', ...age, if: name, then: { required: ['email'] } }
    expect(shapeOf(schema).closed(ada)).toBe('email is required')
  })

  test('takes what must not be as it is', () => {
    const friend = { type: 'object', properties: { friend: name } }
    const schema = { type: 'object', properties: { grace: { not: friend } } }
    expect(shapeOf(schema).closed({ grace: { friend: ada } })).toBe('grace has a form that is not accepted')
  })
})

describe('the listed fields', () => {
  const kind = (type: string) => ({
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string', const: type }, [type]: {} },
  })

  test('are those of every part', () => {
    const part = (field: string) => ({ properties: { [field]: {} } })
    const parts = { allOf: [part('a')], oneOf: [part('b')], anyOf: [part('c')], then: part('d'), else: part('e') }
    expect([...shapeOf({ ...parts, if: part('f') }).listed({})]).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('are those of the branch and the common ones, where a tag chooses', () => {
    const discriminator = { propertyName: 'type', mapping: {} }
    const email = { ...kind('email'), allOf: [{ $ref: '#/components/schemas/Age' }] }
    const { listed } = shapeOf({ ...name, discriminator, oneOf: [kind('sms'), email] }, { Age: age })
    expect([...listed({ type: 'sms' })]).toEqual(['name', 'type', 'sms'])
    expect([...listed({ type: 'email' })]).toEqual(['name', 'type', 'email', 'age'])
  })
})

test('a $ref leads to any place of the document', () => {
  const document: Document = { paths: { '/a~b': { parameters: [] } }, components: { schemas: {} } }
  expect(resolved(document, { $ref: '#/paths/~1a~0b' })).toBe(document.paths['/a~b'])
})

function shapeOf(schema: Schema, schemas: Record<string, Schema> = {}) {
  const subject = { whole: 'the body', member: 'a field of this request' }
  return shapesOf({ paths: {}, components: { schemas } })(schema, 'json', subject)
}
