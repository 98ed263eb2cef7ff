import { stripVTControlCharacters } from 'node:util'
import type { ReportDocument } from '../../contracts/reports/document.ts'
import { capitalize, plainLines, pluralize } from '../../lib/text.ts'
import type { SweepProgress, SweepReport } from './sweep.ts'

/** A file also shows the last lines of the output of each failure. */
export function toDocument(report: SweepReport, isFile: boolean): ReportDocument {
  const { command, verdict, at, guesses, relied, tried, untried, seconds } = report
  const counts = [
    pluralize(relied.length, 'assumption'),
    pluralize(tried.length, 'other choice'),
    ...(untried.length === 0 ? [] : [`${untried.length} not tried`]),
  ]
  const details = guesses.flatMap(({ name, sentence, question, assumed, certainty, failsWith }) => {
    const failures = failsWith.map(({ choice, meaning, how, tests, repeat, output }) => ({
      sentence: `fails with \`${choice}\` (${how}): ${meaning}`,
      tests: tests.map((test) => `failed test: ${test}`),
      repeat: `to repeat: ${repeat}`,
      output: [`$ ${repeat}`, ...lastLines(output)].join('\n'),
    }))
    const text = [`${capitalize(sentence)}.`, `${question} We assume \`${assumed}\` (${certainty}).`]
    return isFile
      ? [
          { title: name, text },
          ...failures.map((one) => ({ title: `${name} ${one.sentence}`, text: one.tests, code: one.output })),
        ]
      : [
          {
            title: name,
            text: [...text, ...failures.flatMap((one) => [one.sentence, ...one.tests])],
            code: failures.map((one) => one.repeat).join('\n'),
          },
        ]
  })
  const tone = guesses.length === 0 ? 'good' : 'doubtful'
  const summary = `${counts.join(', ')}, in ${seconds.toFixed(1)} seconds.`
  return { subject: command, verdict, tone, at, summary, notes: [], parts: [{ details }] }
}

/** Returns the last lines of an output, without colours. */
const lastLines = (output: string) => stripVTControlCharacters(output).trimEnd().split('\n').slice(-20)

/** Shows the output of a command beside an error. */
export function printOutput(output: string): string {
  if (output.trim() === '') return 'It printed nothing.\n'
  const lines = lastLines(output).map((line) => `  | ${line}\n`)
  return `The end of what it printed:\n${plainLines(lines.join(''))}`
}

/** Writes a line for each try; on a terminal it replaces the previous line. */
export function progressOn(write: (text: string) => void, isTerminal: boolean, atOnce: number): SweepProgress {
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
      const left = showTime((tries * seconds) / atOnce)
      write(`${relies}, with ${pluralize(tries, 'other choice')} to try: ${left}${lanes}.\n`)
    },
    tried({ name, choice, passed, how }, done, secondsLeft) {
      const line = `${done} of ${all}: ${name}=${choice} ${passed ? 'passes' : `fails (${how})`}`
      const left = done === all ? '' : `, ${showTime(secondsLeft)} left`
      if (isTerminal) write(`\r\u001b[K${line}${left}${done === all ? '\r\u001b[K' : ''}`)
      else write(`${line}${left}\n`)
    },
  }
}

const showTime = (seconds: number) =>
  seconds < 100
    ? `about ${pluralize(Math.max(1, Math.round(seconds)), 'second')}`
    : `about ${Math.round(seconds / 60)} minutes`
