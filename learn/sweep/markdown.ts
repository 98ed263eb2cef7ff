import { longestTicks, toCodeBlock } from '../../shared/escape-markdown.ts'
import { plainLines } from '../../shared/plain-lines.ts'
import type { Failure, Guess, SweepReport } from './report.ts'
import { lastLines } from './terminal.ts'
import { pluralize } from '../../shared/pluralize.ts'
import { capitalize } from '../../shared/capitalize.ts'

/** A summary for the page of a CI job. */
export function toMarkdown({ command, verdict, relied, guesses, tried, untried, seconds }: SweepReport): string {
  const left = untried.length === 0 ? '' : `, ${untried.length} not tried`
  return [
    `## ${inCode(command)}: ${verdict}`,
    '',
    `${pluralize(relied.length, 'assumption')}, ${pluralize(tried.length, 'other choice')}${left}, in ${seconds.toFixed(1)} seconds.`,
    '',
    ...guesses.flatMap(describe),
  ].join('\n')
}

function describe({ name, sentence, question, assumed, certainty, failsWith }: Guess): string[] {
  return [
    `### ${name}`,
    '',
    `${capitalize(sentence)}.`,
    '',
    `${question} We assume \`${assumed}\` (${certainty}).`,
    '',
    ...failsWith.flatMap(describeFailure),
  ]
}

function describeFailure({ choice, meaning, how, output }: Failure): string[] {
  const text = plainLines(lastLines(output).join('\n'))
  return [
    `Fails with \`${choice}\` (${how}): ${meaning}`,
    '',
    ...(text.trim() === '' ? [] : [...toCodeBlock(text), '']),
  ]
}

function inCode(text: string): string {
  const ticks = '`'.repeat(longestTicks(text) + 1)
  return `${ticks} ${text.replace(/\s+/g, ' ')} ${ticks}`
}
