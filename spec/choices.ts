import { quote } from '../shared/text.ts'
import {
  assumption,
  assumptionNames,
  type AssumptionName,
  type Choice,
  type ChoiceWithAmount,
  type Meaning,
} from './assumptions.ts'
import { closeTo, suggest } from './close-to.ts'

/** The choice for each assumption. */
export type Chosen = { readonly [Name in AssumptionName]: ChosenFor<Name> }

interface ChosenFor<Name extends AssumptionName> {
  readonly choice: Choice<Name>
  /** There when the choice carries a number. */
  readonly amount?: number
}

/** Choices as people write them, in code or in a profile: `{ keyScope: 'team', rateLimit: 'perMinute:60' }`. */
export type WrittenChoices = { readonly [Name in AssumptionName]?: Written<Name> }

type Written<Name extends AssumptionName> =
  | Exclude<Choice<Name>, ChoiceWithAmount<Name>>
  | (ChoiceWithAmount<Name> extends never ? never : `${ChoiceWithAmount<Name>}:${number}`)

/** The given choices, and the assumed ones for the rest. */
export function chooseAll(written: WrittenChoices = {}): Chosen {
  const known = readProfile(written)
  return Object.fromEntries(
    assumptionNames.map((name) => [name, chosenFor(name, known[name] ?? assumption(name).assumed)]),
  ) as Chosen
}

/** A choice as people write it. */
export const writtenChoice = ({ choice, amount }: AnyChosen) => (amount === undefined ? choice : `${choice}:${amount}`)

/** The choice for any assumption. */
export interface AnyChosen {
  readonly choice: string
  readonly amount?: number
}

/** Reads one choice as the command line takes it: `contactMatching=phoneThenEmail`, `rateLimit=perMinute:60`. */
export function readChoice(text: string): WrittenChoices {
  const [name, written] = splitAt('=', text)
  if (written === undefined) {
    throw new UnreadableChoice(`${quote(text)} is not written as name=choice, such as contactMatching=phoneThenEmail.`)
  }
  return readProfile({ [name]: written })
}

/** Reads choices as a variable holds them, with spaces between: `keyScope=team rateLimit=perMinute:60`. */
export function readChoices(text: string): WrittenChoices {
  const written = text.split(/\s+/).filter((choice) => choice !== '')
  return Object.assign({}, ...written.map(readChoice)) as WrittenChoices
}

/** Reads the content of a profile. A `voice`, which earlier versions of `learn` wrote, is ignored. */
export function readProfileContent(content: unknown): WrittenChoices {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return readProfile(content)
  return readProfile(Object.fromEntries(Object.entries(content).filter(([name]) => name !== 'voice')))
}

/** Reads choices: an object that gives names their choices. */
export function readProfile(profile: unknown): WrittenChoices {
  if (typeof profile !== 'object' || profile === null || Array.isArray(profile)) {
    throw new UnreadableChoice('A profile gives names their choices, such as contactMatching: phoneThenEmail.')
  }
  const entries = Object.entries(profile)
  for (const [name, written] of entries) chosenFor(knownName(name), written)
  return Object.fromEntries(entries)
}

/** A choice that the register does not have. The message names the valid ones. */
export class UnreadableChoice extends Error {
  override readonly name = 'UnreadableChoice'
}

/** The name, when the register has it. */
export function knownName(text: string): AssumptionName {
  const name = assumptionNames.find((known) => known === text)
  if (name !== undefined) return name
  const close = closeTo(text, assumptionNames)
  const hint = close.length > 0 ? `; close to it ${close.length > 1 ? 'are' : 'is'} ${inWords(close, 'and')}` : ''
  throw new UnreadableChoice(`There is no assumption ${quote(text)}${hint}; ${howToListAll}.`)
}

/** The assumptions with a name that begins with one of the words of `--only`; all assumptions without words. */
export function namesBeginningWith(words: readonly string[] = []): readonly AssumptionName[] {
  for (const word of words) {
    if (word !== '' && assumptionNames.some((name) => name.startsWith(word))) continue
    throw new UnreadableChoice(`--only names no assumption: ${word}${suggest(word, assumptionNames)}.`)
  }
  return assumptionNames.filter((name) => words.length === 0 || words.some((word) => name.startsWith(word)))
}

const howToListAll = '`crm-sandbox assumptions` lists them all'

function chosenFor<Name extends AssumptionName>(name: Name, written: unknown): ChosenFor<Name> {
  const { choices } = assumption(name)
  const [choice, amount] = typeof written === 'string' ? splitAt(':', written) : []
  const meaning = choice !== undefined && Object.hasOwn(choices, choice) ? choices[choice] : undefined
  if (choice === undefined || meaning === undefined) {
    const all = Object.entries(choices).map(([each, words]) => sample(each, words))
    throw new UnreadableChoice(`${name} cannot be ${describe(written)}, only ${inWords(all, 'or')}.`)
  }
  const number = readAmount(name, choice, meaning, amount)
  return { choice: choice as Choice<Name>, ...(number === undefined ? {} : { amount: number }) }
}

function readAmount(name: AssumptionName, choice: string, meaning: Meaning, text: string | undefined) {
  if (typeof meaning === 'string') {
    if (text === undefined) return undefined
    throw new UnreadableChoice(`${name}=${choice} takes no number, so ${quote(`:${text}`)} cannot follow it.`)
  }
  if (text !== undefined && /^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UnreadableChoice(
    `${name}=${choice} needs a number of ${meaning.amount.unit}, from 1 to 999999999, ` +
      `such as ${name}=${sample(choice, meaning)}.`,
  )
}

const sample = (choice: string, meaning: Meaning) =>
  typeof meaning === 'string' ? choice : `${choice}:${meaning.amount.usual}`

function splitAt(mark: string, text: string): readonly [string, string | undefined] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

const inWords = (words: readonly string[], and: 'and' | 'or') =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${and} ${words.slice(-1).join('')}`

function describe(written: unknown): string {
  if (typeof written === 'object' && written !== null) return Array.isArray(written) ? 'a list' : 'an object'
  return typeof written === 'string' ? quote(written) : String(written)
}
