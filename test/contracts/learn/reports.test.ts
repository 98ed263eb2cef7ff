import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { LearnResult } from '../../../contracts/learn/learn.ts'
import { prepareReports } from '../../../contracts/reports/files.ts'
import { toHtml } from '../../../contracts/reports/html.ts'
import { toJunit } from '../../../contracts/reports/junit.ts'
import { toMarkdown } from '../../../contracts/reports/markdown.ts'
import { toTerminal } from '../../../contracts/reports/terminal.ts'
import { toCases, toDocument, toReport, writeReports } from '../../../contracts/learn/report.ts'
import { parse } from 'yaml'
import { toProfile } from '../../../contracts/learn/profile.ts'
import { assumption, assumptionNames } from '../../../spec/assumptions.ts'
import { chooseAll, readProfile, sampleOf } from '../../../spec/choices.ts'
import { newFolder } from '../../for-one-test.ts'

const hostile = '<script>alert(1)</script> | `x`\u0007'

const result: LearnResult = {
  origin: 'http://127.0.0.1:4010',
  at: '2026-11-22T10:00:00.000Z',
  seconds: 1.5,
  entries: [
    { name: 'badPage', finding: { outcome: 'seen', written: 'refused' } },
    { name: 'emailStored', finding: { outcome: 'seen', written: 'asSent' } },
    { name: 'keyRetention', finding: { outcome: 'cannotTell', words: 'it takes more than a day' } },
    { name: 'malformedId', finding: { outcome: 'other', words: hostile } },
    { name: 'bulkDelivery', finding: { outcome: 'seen', written: 'afterDelay:210' } },
  ],
  evidence: [],
  broken: [],
  residue: [],
  stays: [],
}
const choices = {
  badPage: 'clamped',
  emailStored: 'asSent',
  keyRetention: 'oneDay',
  malformedId: 'notFound',
  bulkDelivery: 'afterDelay:200',
} as const
const checked = toReport(result, { path: 'staging.yaml', choices })

it('a report compares each entry with the profile', () => {
  expect(checked.entries.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['badPage', 'differs'],
    ['emailStored', 'same'],
    ['keyRetention', 'cannotTell'],
    ['malformedId', 'differs'],
    ['bulkDelivery', 'same'],
  ])
  expect(checked).toMatchObject({ verdict: '2 differences from staging.yaml', exitCode: 1, profile: 'staging.yaml' })
})

it('a report counts the learned entries without a profile, and gives the reason for an early end', () => {
  const { entries, verdict } = toReport({ ...result, stopped: 'the rate is limited' })
  expect(entries.map(({ outcome }) => outcome)).toEqual(['seen', 'seen', 'cannotTell', 'other', 'seen'])
  expect(verdict).toBe('3 of 5 learned; the run ended early: the rate is limited')
})

it('a run fails that ended since the server gave no more responses', () => {
  expect(toReport({ ...result, stopped: 'no responses', isUnreachable: true }).exitCode).toBe(2)
})

it('a report in JUnit XML has a failure for each difference', () => {
  const text = toJunit(toCases(checked))
  expect(text).toContain('tests="5" failures="2" errors="0" skipped="1"')
  expect(text.match(/<failure /g)).toHaveLength(2)
  expect(text).toContain('<skipped message="it takes more than a day"/>')
})

it.each([
  ['HTML', () => toHtml(toDocument(checked, result))],
  ['JUnit', () => toJunit(toCases(checked))],
  ['Markdown', () => toMarkdown(toDocument(checked, result))],
  ['the terminal', () => toTerminal(toDocument(checked, result))],
] as const)('a report lets a server write nothing of its own into %s', (form, write) => {
  const text = write()
  expect(text).toContain('malformedId')
  if (form !== 'the terminal') expect(text).not.toContain('<script>')
  expect(text).not.toContain('\u0007')
})

it('learn deletes an older report before a run, and writes the forms of the options', () => {
  const path = newFolder()
  const files = { json: join(path, 'drift.json'), markdown: join(path, 'drift.md') }
  writeFileSync(files.json, 'of yesterday')
  prepareReports(files)
  expect(readdirSync(path)).toEqual([])
  writeReports(checked, result, files)
  expect(readdirSync(path)).toEqual(['drift.json', 'drift.md'])
  expect(JSON.parse(readFileSync(files.json, 'utf8'))).toEqual(checked)
})

const resultOf = (entries: LearnResult['entries'], more: Partial<LearnResult> = {}): LearnResult => ({
  origin: 'https://staging.example.com',
  at: '2026-11-22T09:30:00.000Z',
  seconds: 1,
  evidence: [],
  broken: [],
  residue: [],
  stays: [],
  entries,
  ...more,
})

it('a profile can be read again, whatever was chosen', () => {
  for (const name of assumptionNames) {
    for (const [choice, meaning] of Object.entries(assumption(name).choices)) {
      const chosen = sampleOf(choice, meaning)
      const text = toProfile(resultOf([{ name, finding: { outcome: 'seen', written: chosen } }]), '1.2.3')
      expect(readProfile(parse(text))).toEqual({ [name]: chosen })
    }
  }
})

it('a profile has undetermined entries as comments, on one line each, whatever the server sent', () => {
  const words = 'a step failed: "\n- evil: true\r\u2028keyScope: team\u001b[31m"'
  const text = toProfile(
    resultOf([
      { name: 'keyScope', finding: { outcome: 'cannotTell', words } },
      { name: 'badPage', finding: { outcome: 'other', words } },
      { name: 'emailStored', finding: { outcome: 'unstable', words } },
    ]),
    '1.2.3',
  )
  expect(parse(text)).toBeNull()
  expect(text.split('\n')).toHaveLength(5)
  expect(text).toContain('# badPage: something that no choice describes: a step failed')
  expect(text.split('\n')[0]).toBe(
    '# What https://staging.example.com did on 2026-11-22T09:30:00.000Z, asked by crm-sandbox 1.2.3.',
  )
})

it('a profile keeps the lines of an older profile only where the run learned nothing', () => {
  const text = toProfile(
    resultOf([
      { name: 'keyScope', finding: { outcome: 'cannotTell', words: 'no key' } },
      { name: 'badPage', finding: { outcome: 'seen', written: 'clamped' } },
    ]),
    '1.2.3',
    { choices: { keyScope: 'teamAndOperation', badPage: 'refused', emailStored: 'lowerCase' }, comments: new Map() },
  )
  expect(parse(text)).toEqual({ keyScope: 'teamAndOperation', badPage: 'clamped', emailStored: 'lowerCase' })
  expect(chooseAll(readProfile(parse(text))).badPage.choice).toBe('clamped')
})

it('a report in the terminal lists the differences first, and prints no control characters', () => {
  const result = resultOf([
    { name: 'badPage', finding: { outcome: 'seen', written: 'refused' } },
    { name: 'keyScope', finding: { outcome: 'other', words: '::error::\u001b[31m' } },
  ])
  const text = toTerminal(toDocument(toReport(result), result))
  expect(text).toContain('badPage=refused: 400 (assumed: clamped)')
  expect(text.indexOf('badPage')).toBeLessThan(text.indexOf('keyScope'))
  expect(text).not.toContain('\u001b')
  expect(text).toContain('1 of 2 learned, 1 of them differ')
})
