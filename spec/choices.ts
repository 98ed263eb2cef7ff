import { deprecate } from 'node:util'
import { quote } from '../lib/text.ts'
import {
  assumption,
  assumptionNames,
  type AssumptionName,
  type Choice,
  type ChoiceWithAmount,
  type Meaning,
} from './assumptions.ts'
import { suggest } from './close-to.ts'
import { UserError } from '../lib/user-error.ts'

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
  const [, name, written] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  if (name === undefined)
    throw new UnreadableChoice(`${quote(text)} is not written as name=choice, such as contactMatching=phoneThenEmail.`)
  return readProfile({ [name]: written })
}

/** Reads choices as a variable holds them, with spaces between: `keyScope=team rateLimit=perMinute:60`. */
export function readChoices(text: string): WrittenChoices {
  const written = text.split(/\s+/).filter((choice) => choice !== '')
  return Object.assign({}, ...written.map(readChoice)) as WrittenChoices
}

/** Reads choices: an object that gives names their choices. */
export function readProfile(profile: unknown): WrittenChoices {
  if (typeof profile !== 'object' || profile === null || Array.isArray(profile))
    throw new UnreadableChoice('A profile gives names their choices, such as contactMatching: phoneThenEmail.')
  for (const name of Object.keys(profile)) if (dropped.has(name)) warnOfDropped(name)
  const known = Object.entries(profile).filter(([name]) => !dropped.has(name))
  const entries = known.map(([name, written]) => [renamed.get(name) ?? name, written] as const)
  for (const [name, written] of entries) chosenFor(knownName(name), written)
  return Object.fromEntries(entries)
}

/** Names that the register had in earlier versions. The document of the API says how the sandbox behaves instead. */
export const dropped: ReadonlySet<string> = new Set([
  ...['voice', 'unusualJson', 'longLists', 'formLimits', 'unreachableMedia', 'numberThatNobodyHas'],
  ...['disagreeingTargets', 'disagreeingReceivers', 'mediaTypeFields', 'unusedParameters', 'mergeFieldsInParameters'],
  ...['templateButtonForm', 'addedMessages', 'scheduleHorizon', 'limitAboveLargest'],
  ...['otherSignature', 'pathCase', 'notFoundMessage'],
])

/** Node prints a warning with the same code once in a process. */
function warnOfDropped(name: string): void {
  const sentence = `${name} is no assumption any more: its choice has no effect, and can be deleted`
  deprecate(() => undefined, sentence, `CRM_SANDBOX_${name}`)()
}

const renamed = new Map<string, AssumptionName>([['contactStatusMoves', 'statusMoves']])

/** The choices that refuse a repeated key, by the status of the refusal. */
export const keyRefusals = { 400: 'refuse', 409: 'conflict', 422: 'unprocessable' } as const

/** A choice that the register does not have. The message names the valid ones. */
export class UnreadableChoice extends UserError {
  override readonly name = 'UnreadableChoice'
}

/** The name, when the register has it. */
export function knownName(text: string): AssumptionName {
  const name = assumptionNames.find((known) => known === text)
  if (name !== undefined) return name
  throw new UnreadableChoice(
    `There is no assumption ${quote(text)}${suggest(text, assumptionNames)}; \`crm-sandbox assumptions\` lists them all.`,
  )
}

/** The assumptions with a name that begins with one of the words of `--only`; all assumptions without words. */
export function namesBeginningWith(words: readonly string[] = []): readonly AssumptionName[] {
  for (const word of words) {
    if (word !== '' && assumptionNames.some((name) => name.startsWith(word))) continue
    throw new UnreadableChoice(
      (nameOf) => `${nameOf('only')} names no assumption: ${word}${suggest(word, assumptionNames)}.`,
    )
  }
  return assumptionNames.filter((name) => words.length === 0 || words.some((word) => name.startsWith(word)))
}

function chosenFor<Name extends AssumptionName>(name: Name, written: unknown): ChosenFor<Name> {
  const { choices } = assumption(name)
  const [, choice = '', amount] = /^(\w+)(?::([1-9]\d{0,8}))?$/.exec(typeof written === 'string' ? written : '') ?? []
  const meaning = Object.hasOwn(choices, choice) ? choices[choice] : undefined
  if (meaning === undefined || (typeof meaning === 'string') !== (amount === undefined)) throw notAChoice(name)
  return { choice: choice as Choice<Name>, ...(amount === undefined ? {} : { amount: Number(amount) }) }
}

function notAChoice(name: AssumptionName): UnreadableChoice {
  const { choices } = assumption(name)
  const samples = Object.entries(choices).map(([choice, meaning]) => sampleOf(choice, meaning))
  const units = Object.values(choices).flatMap((meaning) => (typeof meaning === 'string' ? [] : [meaning.amount.unit]))
  const numbers = units.map((unit) => `, with any number of ${unit} from 1 to 999999999`)
  return new UnreadableChoice(`${name} must be ${samples.join(' or ')}${numbers.join('')}.`)
}

/** A choice as people write it, with the usual number. */
export const sampleOf = (choice: string, meaning: Meaning) =>
  typeof meaning === 'string' ? choice : `${choice}:${meaning.amount.usual}`
