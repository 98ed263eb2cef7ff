import type { Paint } from '../../shared/paint.ts'
import { plainLines } from '../../shared/plain-lines.ts'
import type { Guess, SweepReport } from './report.ts'
import type { SweepProgress } from './sweep.ts'
import { pluralize } from '../../shared/pluralize.ts'

type Write = (text: string) => void

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

/** On what the tests stand, each guess with its question and with the choices that they do not survive. */
export function summarize({ guesses, relied, tried, untried, seconds, verdict }: SweepReport, paint: Paint): string {
  const counts = [
    pluralize(relied.length, 'assumption'),
    pluralize(tried.length, 'other choice'),
    ...(untried.length === 0 ? [] : [`${untried.length} not tried`]),
  ]
  const lines = [
    ...guesses.flatMap((guess) => describe(guess, paint)),
    '',
    `${counts.join(', ')}, in ${seconds.toFixed(1)} seconds.`,
  ]
  const colour = guesses.length === 0 ? 'green' : 'yellow'
  return `${lines.join('\n')}\n${paint(`Verdict: ${verdict}.`, colour)}\n`
}

function describe({ name, sentence, question, assumed, certainty, failsWith }: Guess, paint: Paint): string[] {
  return [
    '',
    `${paint(name, 'bold')}: ${sentence}`,
    `  ${question} We assume ${assumed} (${certainty}).`,
    ...failsWith.map(({ choice, meaning, how }) => `  fails with ${choice} (${how}): ${meaning}`),
  ]
}

/** The last lines that the command printed, without colours. */
export function lastLines(output: string): string[] {
  return output.replaceAll(colours, '').trimEnd().split('\n').slice(-20)
}

const colours = /\u001b\[[\d;]*m/g

/** As it is shown beside an error. */
export function printOutput(output: string): string {
  if (output.trim() === '') return 'It printed nothing.\n'
  return `The end of what it printed:\n${plainLines(
    lastLines(output)
      .map((line) => `  | ${line}\n`)
      .join(''),
  )}`
}
