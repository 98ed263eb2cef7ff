import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rows } from '../../client/operations.ts'
import { operations } from '../../spec/operations.ts'
import { promises } from '../../spec/promises.ts'

/** The promises that the code of observe names, or finds by the shape or the status of a response. */
function judgedPromises(): string[] {
  const files = ['contracts/judge/inspection.ts', ...readdirSync('observe').map((file) => `observe/${file}`)]
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const shapes = Object.values(rows).flatMap(({ shape }) => shape.map(([, id]) => id))
  const statuses = Object.values(operations).map(({ id, successStatuses }) =>
    promises.find((one) => one.operations.includes(id) && successStatuses.some((is) => is === one.status)),
  )
  return promises
    .filter(
      (entry) =>
        code.includes(`'${entry.id}'`) || shapes.includes(entry.id) || statuses.includes(entry) || isRefusal(entry),
    )
    .map(({ id }) => id)
}

const isRefusal = ({ id }: (typeof promises)[number]) =>
  /^(?!template\.sms).*(Requires|nlistedFields(AreRefused)?)$/.test(id)

it('docs/observe.md lists the promises that observe judges, with their strength', () => {
  const listed = [...readFileSync('docs/observe.md', 'utf8').matchAll(/^\| `([\w.]+)` +\| (\w+) +\|$/gm)]
  const strengthOf = (id: string) => promises.find((entry) => entry.id === id)?.strength ?? 'firm'
  expect(listed.map(([, id, strength]) => `${id ?? ''} ${strength ?? ''}`)).toEqual(
    judgedPromises().map((id) => `${id} ${strengthOf(id)}`),
  )
})
