import { describe, expect, test } from 'vitest'
import { resolve, type Document, type Schema } from '../../spec/document.ts'
import { shapesOf } from '../../spec/shapes.ts'

const name = { type: 'object', properties: { name: { type: 'string' } } }
const age = { properties: { age: {} } }
const ada = { name: 'Ada', age: 36 }

describe('a closed check', () => {
  test.each<[string, Schema, unknown]>([
    ['a field of `then`', { ...name, if: name, then: age }, ada],
    ['a field of `else`', { ...name, if: { not: name }, else: age }, ada],
    ['a field of a branch', { ...name, anyOf: [age] }, ada],
    ['an object with additionalProperties', { ...name, additionalProperties: true }, ada],
    ['an object with unevaluatedProperties', { ...name, unevaluatedProperties: true }, ada],
    ['an object without documented fields', { type: 'object' }, ada],
  ])('accepts %s', (_, schema, value) => {
    expect(shapeOf(schema).faults(value)).toEqual([])
  })

  test('refuses an unlisted field below additionalProperties', () => {
    const people = { type: 'object', additionalProperties: name }
    expect(shapeOf(people).faults({ ada })[0]?.sentence).toBe('ada.age is not a field of this request')
  })

  test('does not close an `if`', () => {
    const schema = { type: 'object', ...age, if: name, then: { required: ['email'] } }
    expect(shapeOf(schema).faults(ada)[0]?.sentence).toBe('email is required')
  })

  test('does not close a `not`', () => {
    const friend = { type: 'object', properties: { friend: name } }
    const schema = { type: 'object', properties: { grace: { not: friend } } }
    expect(shapeOf(schema).faults({ grace: { friend: ada } })[0]?.sentence).toBe(
      'grace has a form that is not accepted',
    )
  })
})

test('a $ref can point anywhere in the document', () => {
  const document: Document = {
    info: { title: 'Test' },
    paths: { '/a~b': { parameters: [] } },
    components: { schemas: {} },
  }
  expect(resolve(document, { $ref: '#/paths/~1a~0b' })).toBe(document.paths['/a~b'])
})

function shapeOf(schema: Schema) {
  const subject = { whole: 'the body', member: 'a field of this request' }
  return shapesOf({ info: { title: 'Test' }, paths: {}, components: { schemas: {} } })(schema, 'json', subject)
}
