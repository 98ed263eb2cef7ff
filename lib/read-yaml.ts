import { type Alias, isScalar, Lexer, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml'
import { parseJson } from './json.ts'

/** The largest YAML text that is read: the library needs seconds for more. JSON may be larger. */
const largestMebibytes = 1

/** A longer text may be JSON, of which it may have more. */
const readAsYaml = 100 * 1024

/** The library searches the whole document for each alias. */
const mostAliases = 1_000

/** Limits how often anchors are repeated: a few lines of aliases can expand beyond any memory. */
const maxAliasCount = 100

/** Throws for invalid YAML; with the message of the parser, and the place if known. */
type Refuse = (message: string, line?: number, column?: number) => never

/** Parses YAML or JSON. With the schema `failsafe`, each scalar is a text as it is written. */
export function readYaml(text: string, refuse: Refuse, schema?: 'failsafe'): unknown {
  const mayBeJson = schema === undefined
  const json = mayBeJson && text.length > readAsYaml ? parseJson(text) : undefined
  if (json !== undefined) return json
  const help = mayBeJson ? '; write it as JSON' : ''
  if (text.length > largestMebibytes * 1024 * 1024)
    refuse(`it is larger than ${largestMebibytes} MiB, the most for YAML${help}`)
  checkSize(text, help, refuse)
  const lineCounter = new LineCounter()
  const refuseAt = (position: number, message: string): never => {
    const { line, col: column } = lineCounter.linePos(position)
    return refuse(message, line, column)
  }
  let aliases = 0
  try {
    // The library compares each key with all others of its map, which takes minutes for a long map.
    const document = parseDocument(text, {
      uniqueKeys: false,
      prettyErrors: false,
      lineCounter,
      ...(schema && { schema }),
    })
    const [fault] = [...document.errors, ...document.warnings]
    if (fault) refuseAt(fault.pos[0], messageOf(fault))
    visit(document, {
      Map: (_key, map) => checkKeys(map, refuseAt),
      Alias: (_key, alias, path) => {
        if (++aliases > mostAliases) refuseAt(startOf(alias), `it must not have more than ${mostAliases} aliases`)
        if (path.some((part) => 'anchor' in part && part.anchor === alias.source))
          refuseAt(startOf(alias), `the part called ${alias.source.slice(0, 40)} must not contain itself`)
      },
    })
    return document.toJS({ maxAliasCount })
  } catch (error) {
    if (error instanceof RangeError) refuse(tooDeep)
    if (error instanceof ReferenceError) refuse(`its aliases cannot be resolved (${error.message.slice(0, 100)})`)
    throw error
  }
}

/** Twice as many as in the longest world of small records. */
const mostValues = 150_000
const mostLevels = 100

/** Refuses, before the parser sees it, a text that would take it minutes or all memory. */
function checkSize(text: string, help: string, refuse: Refuse): void {
  let [levels, ofLine, values, position, before] = [0, 0, 0, -1, ''] // the lexer begins with a mark
  const refuseHere = (message: string): never => {
    const lines = text.slice(0, position).split('\n')
    return refuse(message, lines.length, (lines.at(-1) ?? '').length + 1)
  }
  for (const lexeme of new Lexer().lex(text)) {
    if (before !== textFollows) {
      if (lexeme === '[' || lexeme === '{') levels++
      else if (lexeme === ']' || lexeme === '}') levels--
      else if (lexeme === '\n') ofLine = 0
      else if (levels === 0 && (lexeme === '-' || lexeme === '?' || lexeme === ':')) ofLine++
      if (/^[[{,?&!]/.test(lexeme) || lexeme === textFollows) values++
    }
    if (levels + ofLine > mostLevels) refuseHere(tooDeep)
    if (levels < 0) refuseHere(`there is a ${lexeme} without its beginning`)
    if (values > mostValues) refuseHere(`it has more than ${mostValues} values, the most for YAML${help}`)
    if (lexeme !== textFollows) position += lexeme.length
    before = lexeme
  }
}

const tooDeep = 'its parts are nested too deeply'

/** The token of the lexer before the text of a value. */
const textFollows = '\u001f'

function checkKeys({ items }: YAMLMap, refuseAt: (position: number, message: string) => never): void {
  const keys = new Set<unknown>()
  for (const { key } of items) {
    if (!isScalar(key)) continue
    if (keys.has(key.value)) refuseAt(startOf(key), 'Map keys must be unique')
    keys.add(key.value)
  }
}

const startOf = ({ range }: Pick<Alias, 'range'>) => range?.[0] ?? 0

function messageOf({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === 'MULTIPLE_DOCS') return 'Source contains multiple documents'
  return message.includes('call stack') ? tooDeep : message.slice(0, 200)
}
