import { stripVTControlCharacters } from 'node:util'

/** Lines with which test runners name a failed test. */
const forms = [
  /^\s*FAIL\s+(\S.* > .+)$/, // vitest
  /^\s*● (?!Console$)(.+)$/, // jest
  /^\s*✖ (.+) \([\d.]+ms\)$/, // node:test
  /^\s*not ok \d+ - (.+?)(?: # .*)?$/, // TAP, which node:test prints where there is no terminal
  /^FAILED (\S+::.+?)(?: - .*)?$/, // pytest
  /^\s*--- FAIL: (\S+)/, // go test
]

/** The names of the first three failed tests, as far as the output has them. */
export function failedTests(output: string): string[] {
  const lines = stripVTControlCharacters(output).split(/\r?\n/)
  const names = lines.flatMap((line) => forms.flatMap((form) => form.exec(line)?.[1]?.trim() ?? []))
  return [...new Set(names)].slice(0, 3)
}
