import { assumption, type AssumptionName } from '../../spec/assumptions.ts'
import { meaningOf } from '../profile.ts'
import type { OtherChoice } from './other-choices.ts'
import type { Tried } from './sweep.ts'
import { pluralize } from '../../shared/pluralize.ts'

/** On which guesses the tests of a command stand. */
export interface SweepReport {
  readonly version: 1
  readonly command: string
  /** When it began, as an ISO 8601 time. */
  readonly at: string
  readonly seconds: number
  readonly verdict: string
  readonly exitCode: 0 | 1 | 2
  /** The entries of the register that the tests rely on, without those that were left out. */
  readonly relied: readonly AssumptionName[]
  readonly guesses: readonly Guess[]
  /** All choices that were tried. */
  readonly tried: readonly Omit<Tried, 'output'>[]
  readonly untried: readonly OtherChoice[]
}

/** An entry of the register, of which the tests need a choice. */
export interface Guess {
  readonly name: AssumptionName
  readonly sentence: string
  readonly question: string
  readonly assumed: string
  readonly certainty: string
  readonly passesWith: readonly string[]
  readonly failsWith: readonly Failure[]
}

export interface Failure {
  readonly choice: string
  /** What the choice means. */
  readonly meaning: string
  /** How the command ended, such as `exit code 1`. */
  readonly how: string
  /** The end of what the command printed. */
  readonly output: string
}

interface Facts {
  readonly command: string
  readonly startedAt: Date
  readonly swept: readonly AssumptionName[]
  readonly choices: readonly OtherChoice[]
  readonly tried: readonly Tried[]
  readonly isInterrupted: boolean
}

export function toReport({ command, startedAt, swept, choices, tried: inTime, isInterrupted }: Facts): SweepReport {
  const isTryOf = (wanted: OtherChoice) => (one: Tried) => one.name === wanted.name && one.choice === wanted.choice
  const tried = choices.flatMap((wanted) => inTime.filter(isTryOf(wanted)))
  const untried = choices.filter((wanted) => !tried.some(isTryOf(wanted)))
  const guesses = swept.flatMap((name) => {
    const ofEntry = tried.filter((one) => one.name === name)
    const isWhole = !untried.some((one) => one.name === name)
    return ofEntry.some(({ passed }) => !passed) ? [toGuess(name, ofEntry, isWhole)] : []
  })
  const verdict = verdictOn(guesses.length, untried.length)
  return {
    version: 1,
    command,
    at: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    verdict: isInterrupted ? `interrupted; ${verdict}` : verdict,
    exitCode: isInterrupted ? 2 : guesses.length > 0 ? 1 : 0,
    relied: swept,
    guesses,
    tried: tried.map(({ output: _, ...one }) => one),
    untried,
  }
}

function toGuess(name: AssumptionName, tried: readonly Tried[], isWhole: boolean): Guess {
  const { question, assumed, certainty } = assumption(name)
  const passesWith = [assumed, ...tried.filter(({ passed }) => passed).map(({ choice }) => choice)]
  const failsWith = tried
    .filter(({ passed }) => !passed)
    .map(({ choice, how, output }) => ({ choice, meaning: meaningOf(name, choice), how, output }))
  const sentence = isWhole
    ? `your tests pass only if \`${name}\` is ${either(passesWith)}`
    : `your tests fail if \`${name}\` is ${either(failsWith.map(({ choice }) => choice))}`
  return { name, sentence, question, assumed, certainty, passesWith, failsWith }
}

function either(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `\`${choice}\``)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`
}

function verdictOn(guesses: number, untried: number): string {
  const verdict =
    guesses === 0 ? 'the tests stand on no guess' : `the tests stand on ${pluralize(guesses, 'guess', 'guesses')}`
  return untried === 0 ? verdict : `${verdict}, as far as it was tried`
}
