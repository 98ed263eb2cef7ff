import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { assumptionNames } from '../../spec/assumptions.ts'
import { promises } from '../../spec/promises.ts'

const mock = resolve(import.meta.dirname, '../../mock')
const code = readdirSync(mock, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(mock, file), 'utf8'))
  .join('\n')

/** `becauseOf` names the assumption of the promise that a faulty request violates. */
const readByFault = promises.flatMap(({ status, assumption }) => (status === 400 && assumption ? [assumption] : []))

it.each(assumptionNames.filter((name) => !readByFault.includes(name)))('%s is read somewhere in the mock', (name) => {
  expect(code).toMatch(new RegExp(`(assumed|chosen)\\??\\.${name}\\b|(?:\\bassumed,\\s*|If\\()'${name}'`))
})
