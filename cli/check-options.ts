import type { OptionSchema } from '../lib/option-schemas.ts'
import { quoteUnlessPlain } from '../lib/text.ts'
import { CannotStart } from '../lib/user-error.ts'
import { isObject } from '../lib/json.ts'
import { inCode, must, readValue } from '../mock/options.ts'
import { closeTo } from '../spec/close-to.ts'

/** Checks the options of createSandbox, as TypeScript does. Throws CannotStart with one sentence. */
export function checkOptions(options: unknown): void {
  if (!isObject(options)) throw new CannotStart('createSandbox takes an object with its options, such as { port: 0 }.')
  for (const [name, value] of Object.entries(options)) {
    const schema = inCode.get(name)
    if (!schema) throw new CannotStart(`createSandbox has no option ${quoteUnlessPlain(name)}; ${suggest(name)}`)
    if (value !== undefined) checkOption(name, schema, value)
  }
}

function suggest(name: string): string {
  const names = [...inCode.keys()]
  const [meant] = closeTo(name, names)
  return meant === undefined ? `it has ${names.join(', ')}.` : `did you mean ${meant}?`
}

function checkOption(name: string, schema: OptionSchema, value: unknown): void {
  try {
    checkValue(schema, value)
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    throw new CannotStart(`The option ${name} of createSandbox ${error.message}.`)
  }
}

/** Throws CannotStart with what a value must be, such as `must be a port, from 0 to 65535`. */
function checkValue(schema: OptionSchema, value: unknown): void {
  const { type, items, is, 'x-form': form = '' } = schema
  const isRight = is ?? (items ? Array.isArray : () => true)
  if (!isRight(value)) must(`be ${form}`)
  if (items) for (const item of value as readonly unknown[]) checkType(items, item, form)
  else if (!is) checkType(schema, value, typeWords[String(type)] ?? '')
}

function checkType(schema: OptionSchema, value: unknown, words: string): void {
  if (typeof value !== (schema.type === 'integer' ? 'number' : schema.type)) must(`be ${words}`)
  readValue(schema, String(value))
}

const typeWords: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  integer: 'a number',
  string: 'a string',
}
