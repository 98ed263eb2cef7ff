/** Lines for a shell: each takes ids from the answers to earlier ones, and all make up new names and addresses. */
export function toShell(
  named: readonly string[],
  answers: readonly string[],
  valueOf: ReadonlyMap<string, string>,
): readonly string[] {
  const lines = named.map((line, index) => {
    const later = named.slice(index + 1).join('\n')
    const taken = [...new Set(later.match(taking(index + 1)))].map((name) => {
      const path = pathIn(name)
      const field = path.at(-1) ?? ''
      return `${variableOf(name)}=$(pick "$answer${index + 1}" ${field} ${placeOf(field, valueOf.get(name) ?? '', answers[index])})`
    })
    const isLast = index === named.length - 1
    const asked = isLast ? line.replace('curl -sS', String.raw`curl -sS -w '\n%{http_code}\n'`) : line
    const shown = inShell(asked, valueOf)
    return taken.length === 0 ? shown : [`answer${index + 1}=$(${shown})`, ...taken].join('; ')
  })
  const [first = '', ...others] = lines
  const all = lines.join('\n')
  const needed = Object.entries(setting).flatMap(([word, text]) => (all.includes(word) ? [text] : []))
  return [[...needed, first].join('; '), ...others]
}

const setting = {
  '"$NOW"': 'NOW=$(date +%s)',
  // A server may take only letters in a name.
  '"$RUN"': 'RUN=$(date +%s | tr 0-9 a-j)',
  '"$UPPER"': 'UPPER=$(date +%s | tr 0-9 A-J)',
  '"$AREA"': 'AREA=$(($(date +%s) % 800 + 200))',
  '$(pick ': String.raw`pick() { printf %s "$1" | tr -d '\n' | grep -oE "\"$2\" *: *\"?[^\",}]+" | sed -nE "$3s/.*: *\"?//p"; }`,
}

const taking = (n: number) => new RegExp(`«from ${n} [^»]*»`, 'g')

const pathIn = (name: string) => name.slice(1, -1).split(' ').slice(2).join(' ').split('.')

/** Such as `id1`, or `contactId1` for the contact in the answer. */
function variableOf(name: string): string {
  const [, n = ''] = name.split(' ')
  const [, ...inside] = pathIn(name).filter((step) => step !== '_id')
  const words = inside.map((step) => (/^\d/.test(step) ? `item${step}` : step))
  return `${words.length === 0 ? 'id' : words.join('_')}${n}`
}

/** The index, among the fields with this name in an answer, of the field with the value. */
const placeOf = (field: string, value: string, answer = '') =>
  1 + [...answer.matchAll(new RegExp(`"${field}" *: *"?([^",}]+)`, 'g'))].findIndex(([, found]) => found === value)

/** Ends the single quotes of a line around each variable. */
const inShell = (line: string, valueOf: ReadonlyMap<string, string>) =>
  line
    .replaceAll('«letters»', quoted('RUN'))
    .replaceAll('«LETTERS»', quoted('UPPER'))
    .replaceAll(/«number (\d+)»/g, '$1')
    // All numbers between 555-0100 and 555-0199 are reserved for fiction.
    .replaceAll(/«phone 1\d{3}(\d+)»/g, (_, rest: string) => `+1${quoted('AREA')}${rest}`)
    .replaceAll(/«key \d+»/g, (name) => {
      const key = valueOf.get(name) ?? ''
      return `${key.slice(0, 24)}${quoted('NOW')}${key.slice(34)}`
    })
    .replaceAll(/«from [^»]*»/g, (name) => quoted(variableOf(name)))
    .replaceAll(`"''`, '"')

const quoted = (variable: string) => `'"$${variable}"'`
