import { expect, it } from 'vitest'
import * as yaml from 'yaml'
import { readYamlWith, UnreadableYaml } from '../../shared/read-yaml.ts'

type Tell = (...fault: unknown[]) => unknown

/** The library, which counts the tokens that are read and the faults that are told. */
function countingLibrary() {
  const counts = { tokens: 0, faults: 0 }
  class Parser extends yaml.Parser {
    override *parse(source: string, incomplete?: boolean) {
      for (const token of super.parse(source, incomplete)) {
        counts.tokens++
        yield token
      }
    }
  }
  class Composer extends yaml.Composer {}
  let tell: Tell
  Object.defineProperty(Composer.prototype, 'onError', {
    get: () => tell,
    set: (next: Tell) => {
      tell = (...fault) => {
        counts.faults++
        return next(...fault)
      }
    },
  })
  return { counts, library: { ...yaml, Parser, Composer: Composer as typeof yaml.Composer } }
}

const lines = 30_000

it.each([
  ['an at sign in each line', '@\n', lines],
  ['a list of at signs', '- @\n', lines],
  ['closing brackets', ']', lines],
  ['a closing bracket in each item', '- ]\n', lines],
  ['unknown escapes', '"\\q"\n', lines],
  ['open quotes', '- "a\n', lines],
  ['unknown directives', '%a\n', lines],
  ['unknown tags', '- !<x> a\n', lines],
  ['tabs', 'a:\n\tb\n', lines],
  ['lists in maps', '- a\nb: c\n', lines],
  ['ends of documents', '...\n', lines],
  ['many documents', '---\n', lines],
  ['brackets in brackets', '[', lines],
])('%s: the first fault ends the reading', (_what, unit, times) => {
  const { counts, library } = countingLibrary()
  expect(() => readYamlWith(library, unit.repeat(times))).toThrow(UnreadableYaml)
  // A fault is told again for each part around it.
  expect(counts.faults).toBeLessThan(unit === '[' ? 10_000 : 10)
  expect(counts.tokens).toBeLessThan(10)
})

it('the same text is read as the library reads it', () => {
  for (const text of ['', 'a: 1', '# nothing', '- a\n- {b: c}\n', '%YAML 1.2\n---\na: 1\n...\n', '\uFEFFa: b'])
    expect(readYamlWith(yaml, text)).toEqual(yaml.parse(text))
})
