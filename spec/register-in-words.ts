import {
  assumption,
  assumptionNames,
  assumptions,
  type AssumptionName,
  type Meaning,
  type Probe,
} from './assumptions.ts'
import { knownName } from './choices.ts'

/** What the command `assumptions` prints: the register or one of its entries, for people or for machines. */
export function printAssumptions(text: string | undefined, asJson: boolean): string {
  const name = text === undefined ? undefined : knownName(text)
  if (asJson) return `${JSON.stringify(name === undefined ? assumptions : assumption(name), null, 2)}\n`
  return name === undefined ? registerInWords() : assumptionInWords(name)
}

/** The whole register on a few screens: each question, its choices, and a star at the one that we assume. */
function registerInWords(): string {
  return [...assumptionNames.map(inShort), `${howToRead}\n`].join('\n')
}

const howToRead = `${assumptionNames.length} assumptions; * is what we assume. One of them in full: crm-sandbox assumptions contactMatching
Choose otherwise with: crm-sandbox serve --assume contactMatching=phoneThenEmail`

function inShort(name: AssumptionName): string {
  const { question, choices, assumed } = assumption(name)
  const written = Object.entries(choices).map(([choice, meaning]) => asWritten(choice, meaning, choice === assumed))
  return `${name}: ${question}\n  ${written.join('  ')}\n`
}

/** One entry of it, with all that we know. */
function assumptionInWords(name: AssumptionName): string {
  const { section, question, choices, assumed, operations, probe } = assumption(name)
  const written = Object.entries(choices).map(
    ([choice, meaning]) => `  ${asWritten(choice, meaning, choice === assumed)}: ${wordsOf(meaning)}`,
  )
  return [
    `${name} (${section})`,
    `  ${question}`,
    '',
    ...written,
    '',
    `  Concerns: ${operations === 'all' ? 'all operations' : operations.join(', ')}`,
    `  ${probeInWords(probe)}`,
    `  Choose with: --assume ${name}=${sampleOf(name)}`,
    '',
  ].join('\n')
}

const asWritten = (choice: string, meaning: Meaning, isAssumed: boolean) =>
  `${isAssumed ? '*' : ' '}${choice}${typeof meaning === 'string' ? '' : `:${meaning.amount.usual}`}`

const wordsOf = (meaning: Meaning) =>
  typeof meaning === 'string' ? meaning : `${meaning.words} (a number of ${meaning.amount.unit})`

function probeInWords(probe: Probe): string {
  if (typeof probe === 'string') return `To find out: ${probe}`
  if ('sends' in probe) return `To find out, with a message to a person: ${probe.sends}`
  if ('platform' in probe) return `To find out, by way of the messaging platform: ${probe.platform}`
  return `Not to be found out by a client: ${probe.never}`
}

/** A choice other than the one that is made already. */
function sampleOf(name: AssumptionName): string {
  const { choices, assumed } = assumption(name)
  const [choice = assumed, meaning = ''] = Object.entries(choices).find(([each]) => each !== assumed) ?? []
  return asWritten(choice, meaning, false).trim()
}
