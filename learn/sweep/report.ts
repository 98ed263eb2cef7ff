import type { ReportDocument } from '../../client/reports/document.ts'
import { capitalize, plainLines, pluralize } from '../../shared/text.ts'
import { assumption, type AssumptionName } from '../../spec/assumptions.ts'
import { meaningOf } from '../profile.ts'
import type { OtherChoice, Tried } from './trial.ts'

/** The guesses that the tests of a command rely on. */
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
interface Guess {
  readonly name: AssumptionName
  readonly sentence: string
  readonly question: string
  readonly assumed: string
  readonly certainty: string
  readonly passesWith: readonly string[]
  readonly failsWith: readonly Failure[]
}

interface Failure {
  readonly choice: string
  /** The meaning of the choice. */
  readonly meaning: string
  /** How the command ended, such as `exit code 1`. */
  readonly how: string
  /** The last lines of the output. */
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

/** A file also shows the last lines of the output of each failure. */
export function toDocument(report: SweepReport, isFile: boolean): ReportDocument {
  const { command, verdict, at, guesses, relied, tried, untried, seconds } = report
  const counts = [
    pluralize(relied.length, 'assumption'),
    pluralize(tried.length, 'other choice'),
    ...(untried.length === 0 ? [] : [`${untried.length} not tried`]),
  ]
  const details = guesses.flatMap(({ name, sentence, question, assumed, certainty, failsWith }) => {
    const failures = failsWith.map(({ choice, meaning, how, output }) => ({
      sentence: `fails with \`${choice}\` (${how}): ${meaning}`,
      output: lastLines(output).join('\n'),
    }))
    const text = [`${capitalize(sentence)}.`, `${question} We assume \`${assumed}\` (${certainty}).`]
    return isFile
      ? [{ title: name, text }, ...failures.map((one) => ({ title: `${name} ${one.sentence}`, code: one.output }))]
      : [{ title: name, text: [...text, ...failures.map((one) => one.sentence)] }]
  })
  return {
    subject: command,
    verdict,
    tone: guesses.length === 0 ? 'good' : 'doubtful',
    at,
    summary: `${counts.join(', ')}, in ${seconds.toFixed(1)} seconds.`,
    notes: [],
    parts: [{ details }],
  }
}

/** The last lines that the command printed, without colours. */
export const lastLines = (output: string) =>
  output
    .replaceAll(/\u001b\[[\d;]*m/g, '')
    .trimEnd()
    .split('\n')
    .slice(-20)

type Write = (text: string) => void

export interface SweepProgress {
  began(command: string): void
  /** The command has passed twice. */
  passed(seconds: number, relied: readonly AssumptionName[], tries: number): void
  /** The command has run with a choice. */
  tried(tried: Tried, done: number, secondsLeft: number): void
}

/** A line for each try; on a terminal it replaces the one before. */
export function progressOn(write: Write, isTerminal: boolean, atOnce: number): SweepProgress {
  let all = 0
  return {
    began(command) {
      write(plainLines(`Running ${command}, twice as it is.\n`))
    },
    passed(seconds, relied, tries) {
      all = tries
      if (tries === 0) {
        write('It passes, and relies on no assumption that is to be tried.\n')
        return
      }
      const relies = `It passes, and relies on ${pluralize(relied.length, 'assumption')}`
      const lanes = atOnce > 1 ? `, ${atOnce} at once` : ''
      const left = inWords((tries * seconds) / atOnce)
      write(`${relies}, with ${pluralize(tries, 'other choice')} to try: ${left}${lanes}.\n`)
    },
    tried({ name, choice, passed, how }, done, secondsLeft) {
      const line = `${done} of ${all}: ${name}=${choice} ${passed ? 'passes' : `fails (${how})`}`
      const left = done === all ? '' : `, ${inWords(secondsLeft)} left`
      if (isTerminal) write(`\r\u001b[K${line}${left}${done === all ? '\r\u001b[K' : ''}`)
      else write(`${line}${left}\n`)
    },
  }
}

function inWords(seconds: number): string {
  return seconds < 100
    ? `about ${pluralize(Math.max(1, Math.round(seconds)), 'second')}`
    : `about ${Math.round(seconds / 60)} minutes`
}

/** As it is shown beside an error. */
export function printOutput(output: string): string {
  if (output.trim() === '') return 'It printed nothing.\n'
  return `The end of what it printed:\n${plainLines(
    lastLines(output)
      .map((line) => `  | ${line}\n`)
      .join(''),
  )}`
}
