import { plainLines } from '../../shared/plain-lines.ts'
import { counted, type Failure, type Guess, type SweepReport } from './report.ts'
import { lastLines } from './terminal.ts'

/** A summary for the page of a CI job. */
export function toMarkdown({ command, verdict, relied, guesses, tried, untried, seconds }: SweepReport): string {
  const left = untried.length === 0 ? '' : `, ${untried.length} not tried`
  return [
    `## ${inCode(command)}: ${verdict}`,
    '',
    `${counted(relied.length, 'assumption')}, ${counted(tried.length, 'other choice')}${left}, in ${seconds.toFixed(1)} seconds.`,
    '',
    ...guesses.flatMap(describe),
  ].join('\n')
}

function describe({ name, sentence, question, assumed, certainty, failsWith }: Guess): string[] {
  return [
    `### ${name}`,
    '',
    `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`,
    '',
    `${question} We assume \`${assumed}\` (${certainty}).`,
    '',
    ...failsWith.flatMap(describeFailure),
  ]
}

function describeFailure({ choice, meaning, how, output }: Failure): string[] {
  const text = plainLines(lastLines(output).join('\n'))
  return [`Fails with \`${choice}\` (${how}): ${meaning}`, '', ...(text.trim() === '' ? [] : [...fenced(text), ''])]
}

/** With a fence longer than any in the text. */
function fenced(text: string): string[] {
  const fence = '`'.repeat(longestTicks(text) + 3)
  return [`${fence}text`, text, fence]
}

function inCode(text: string): string {
  const ticks = '`'.repeat(longestTicks(text) + 1)
  return `${ticks} ${text.replace(/\s+/g, ' ')} ${ticks}`
}

const longestTicks = (text: string) => Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
