import {
  assumption,
  assumptionNames,
  assumptions,
  type AssumptionName,
  type Meaning,
  type Probe,
} from './assumptions.ts'
import { knownName, sampleOf } from './choices.ts'

/** The output of the command `assumptions`: the register or one entry, as text or as JSON. */
export function printAssumptions(text: string | undefined, asJson: boolean): string {
  const name = text === undefined ? undefined : knownName(text)
  if (asJson) return `${JSON.stringify(name === undefined ? assumptions : assumption(name), null, 2)}\n`
  return name === undefined ? printRegister() : printEntry(name)
}

function printRegister(): string {
  return [...assumptionNames.map(printInShort), `${howToRead}\n`].join('\n')
}

const howToRead = `${assumptionNames.length} assumptions; * marks the assumed choice. Details of one: crm-sandbox assumptions contactMatching
Change one: crm-sandbox serve --assume contactMatching=phoneThenEmail`

function printInShort(name: AssumptionName): string {
  const { question, choices, certainty } = assumption(name)
  const written = Object.entries(choices).map(([choice, meaning]) => star(name, choice, meaning))
  return `${name} (${certainty}): ${question}\n  ${written.join('  ')}\n`
}

function printEntry(name: AssumptionName): string {
  const { section, question, choices, operations } = assumption(name)
  const explained = Object.entries(choices).map(
    ([choice, meaning]) => `  ${star(name, choice, meaning)}: ${explain(meaning)}`,
  )
  return [
    `${name} (${section})`,
    `  ${question}`,
    '',
    ...explained,
    '',
    `  ${explainCertainty(name)}`,
    `  Operations: ${operations === 'all' ? 'all' : operations.join(', ')}`,
    ...explainFinding(name).map((line) => `  ${line}`),
    ...otherChoices(name)
      .map((choice) => `  Change it: --assume ${name}=${choice}`)
      .slice(0, 1),
    '',
  ].join('\n')
}

const star = (name: AssumptionName, choice: string, meaning: Meaning) =>
  `${choice === assumption(name).assumed ? '*' : ' '}${sampleOf(choice, meaning)}`

export const explain = (meaning: Meaning) =>
  typeof meaning === 'string' ? meaning : `${meaning.words} (a number of ${meaning.amount.unit})`

export function explainCertainty(name: AssumptionName): string {
  const { certainty, reason } = assumption(name)
  const how = certainty === 'likely' ? 'Likely' : 'Open: any choice may be right'
  return reason === undefined ? `${how}.` : `${how}. ${reason}`
}

/** How a client finds out, and what it cannot find out. */
export function explainFinding(name: AssumptionName): string[] {
  const { probe, beyondClients = {} } = assumption(name)
  const beyond = Object.entries(beyondClients).map(
    ([choice, reason]) => `A client may not be able to detect ${choice}: ${reason}`,
  )
  return [explainProbe(probe), ...beyond]
}

function explainProbe(probe: Probe): string {
  if (typeof probe === 'string') return `To find out: ${probe}`
  if ('sends' in probe) return `To find out (messages a person): ${probe.sends}`
  if ('platform' in probe) return `To find out (contacts the messaging platform): ${probe.platform}`
  return `A client cannot find out: ${probe.never}`
}

function otherChoices(name: AssumptionName): string[] {
  const { choices, assumed } = assumption(name)
  const others = Object.entries(choices).filter(([choice]) => choice !== assumed)
  return others.map(([choice, meaning]) => sampleOf(choice, meaning))
}
