import { escapeMarkup } from '../../shared/escape-markup.ts'
import type { EntryReport, LearnReport } from './report.ts'

/** JUnit XML: a case for each entry. A difference from the profile is a failure; what cannot be told is skipped. */
export function toJunit({ entries, seconds, at, origin }: LearnReport): string {
  const count = (outcome: EntryReport['outcome']) => entries.filter((entry) => entry.outcome === outcome).length
  const counts = `tests="${entries.length}" failures="${count('differs')}" errors="0"`
  const time = `time="${seconds.toFixed(3)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="crm-sandbox learn" ${counts} ${time}>`,
    `  <testsuite name="${escapeMarkup(origin)}" ${counts} skipped="${count('cannotTell')}" ${time} timestamp="${escapeMarkup(at)}">`,
    ...entries.map(testcase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testcase(entry: EntryReport): string {
  const opening = `    <testcase classname="assumptions" name="${escapeMarkup(entry.name)}" time="0"`
  return `${opening}>${bodyOf(entry)}</testcase>`
}

function bodyOf({ outcome, was = '', is, question = '' }: EntryReport): string {
  if (outcome === 'cannotTell') return `<skipped message="${escapeMarkup(is)}"/>`
  if (outcome !== 'differs') return `<system-out>${escapeMarkup(`${outcome}: ${is}`)}</system-out>`
  const message = `was ${was}, and is ${is}`
  return `<failure message="${escapeMarkup(message)}">${escapeMarkup(`${question}\n${message}`.trim())}</failure>`
}
