import { CannotRun } from '../client/errors.ts'
import { type AssumptionName, assumptionNames } from '../spec/assumptions.ts'
import { suggest } from '../spec/close-to.ts'

/** The entries that these words name, or begin; all without words. A word that names none is refused. */
export function namesBeginningWith(words: readonly string[] = []): readonly AssumptionName[] {
  for (const word of words) {
    if (word !== '' && assumptionNames.some((name) => name.startsWith(word))) continue
    throw new CannotRun(`--only names no assumption: ${word}${suggest(word, assumptionNames)}.`)
  }
  return assumptionNames.filter((name) => words.length === 0 || words.some((word) => name.startsWith(word)))
}
