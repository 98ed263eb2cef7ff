import type * as Yaml from 'yaml'
import type { CST, Document, LineCounter, YAMLMap } from 'yaml'

/** What is wrong with a YAML text, and where if that is known. */
export class UnreadableYaml extends Error {
  override readonly name = 'UnreadableYaml'
  readonly place: { readonly line: number; readonly column: number } | undefined

  constructor(complaint: string, place?: { readonly line: number; readonly column: number }) {
    super(complaint)
    this.place = place
  }
}

/** How often parts may be used again: a few lines of aliases can unfold into more than any memory. */
const maxAliasCount = 100

/** How many anchors and aliases there may be: the library looks through all anchors for each alias. */
const mostNames = 1_000

/** Loads the library, which takes longer than all that a start needs besides, and parses YAML by it. */
export async function readYaml(text: string): Promise<unknown> {
  return readYamlWith(await import('yaml'), text)
}

/**
 * Parses YAML, in a time that grows no faster than the text, and never into a value that holds itself. The first fault
 * ends it: a short text may have a hundred thousand.
 */
export function readYamlWith(library: Library, text: string): unknown {
  checkNames(library, text)
  const lines = new library.LineCounter()
  const refuseAt: RefuseAt = (position, complaint) => {
    const { line, col: column } = lines.linePos(position)
    throw new UnreadableYaml(complaint, { line, column })
  }
  const document = compose(library, text, lines, refuseAt)
  library.visit(document, {
    Map: (_key, map) => {
      checkKeys(map, refuseAt)
    },
    Alias: (_key, { source, range }, path) => {
      const holdsItself = path.some((part) => 'anchor' in part && part.anchor === source)
      if (holdsItself) refuseAt(range?.[0] ?? 0, `the part called ${source.slice(0, 40)} must not hold itself`)
    },
  })
  return toValue(document)
}

type Library = typeof Yaml

type RefuseAt = (position: number, complaint: string) => never

/** Does what `parseDocument` of the library does, which collects all faults. */
function compose({ Composer, Parser }: Library, text: string, lines: LineCounter, refuseAt: RefuseAt): Document {
  // The library compares every key with all others, so `checkKeys` looks for keys that stand there twice.
  const composer = new Composer({ uniqueKeys: false })
  Object.assign(composer, { onError: throwFirst(refuseAt) })
  const tokens = check(new Parser(lines.addNewLine).parse(text), refuseAt)
  const [document] = composer.compose(tokens, true, text.length)
  if (!document) throw new UnreadableYaml('it has no document')
  const [fault] = [...document.errors, ...document.warnings]
  if (fault) refuseAt(fault.pos[0], inOurWords(fault.message))
  return document
}

/** The library catches what is thrown within a part, and reports it again for the part around it. */
function throwFirst(refuseAt: RefuseAt) {
  let first: unknown
  return (at: number | readonly number[] | { readonly offset: number }, _code: string, message: string): never => {
    const [position = 0] = [typeof at === 'object' && 'offset' in at ? at.offset : at].flat() as readonly number[]
    try {
      if (first === undefined) refuseAt(position, inOurWords(message))
    } catch (refusal) {
      first = refusal
    }
    throw first
  }
}

/** The tokens, as long as there is one document without a fault in it. */
function* check(tokens: Iterable<CST.Token>, refuseAt: RefuseAt): Generator<CST.Token> {
  let documents = 0
  for (const token of tokens) {
    if (token.type === 'error') refuseAt(token.offset, inOurWords(`${token.message}: ${token.source.slice(0, 40)}`))
    if (token.type === 'doc-end' && documents === 0) refuseAt(token.offset, 'a document ends that has not begun')
    if (token.type === 'document' && ++documents > 1) refuseAt(token.offset, 'Source contains multiple documents')
    yield token
  }
}

function toValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount })
  } catch (error) {
    if (error instanceof ReferenceError) throw new UnreadableYaml(`its aliases cannot be followed (${error.message})`)
    throw error
  }
}

function checkNames({ Lexer }: Library, text: string): void {
  if (text.split(/[&*]/, mostNames + 2).length <= mostNames + 1) return
  let names = 0
  for (const token of new Lexer().lex(text)) {
    if (/^[&*]./.test(token) && ++names > mostNames) {
      throw new UnreadableYaml(`it must not have more than ${mostNames} anchors and aliases`)
    }
  }
}

function checkKeys({ items }: YAMLMap, refuseAt: RefuseAt): void {
  const known = new Set<string>()
  for (const { key } of items) {
    const { value, range } = key as { value?: unknown; range?: [number] | null }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue
    if (known.has(String(value))) refuseAt(range?.[0] ?? 0, 'Map keys must be unique')
    known.add(String(value))
  }
}

function inOurWords(message: string): string {
  if (message.includes('call stack')) return 'its parts stand too deep in one another'
  return message.replace(/; please use .*/, '') // that is advice for who calls the parser
}
