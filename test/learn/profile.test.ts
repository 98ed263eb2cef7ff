import { expect, it } from 'vitest'
import { parse } from 'yaml'
import type { LearnResult } from '../../learn/learn.ts'
import { toTerminal } from '../../client/reports/terminal.ts'
import { toDocument, toReport } from '../../learn/report.ts'
import { toProfile } from '../../learn/profile.ts'
import { assumption, switchableNames } from '../../spec/assumptions.ts'
import { chooseAll, readProfile } from '../../spec/choices.ts'
import { sampleOf } from '../../spec/choices.ts'

const resultOf = (entries: LearnResult['entries'], more: Partial<LearnResult> = {}): LearnResult => ({
  origin: 'https://staging.example.com',
  at: '2026-11-22T09:30:00.000Z',
  seconds: 1,
  evidence: [],
  residue: [],
  stays: [],
  entries,
  ...more,
})

it('can be read again, whatever was chosen', () => {
  for (const name of switchableNames) {
    for (const [choice, meaning] of Object.entries(assumption(name).choices)) {
      const chosen = sampleOf(choice, meaning)
      const text = toProfile(resultOf([{ name, finding: { outcome: 'seen', written: chosen } }]), '1.2.3')
      expect(readProfile(parse(text))).toEqual({ [name]: chosen })
    }
  }
})

it('writes undetermined entries as comments, on one line each, whatever the server sent', () => {
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

it('keeps the lines of an older profile only where the run learned nothing', () => {
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

it('lists the differences first, and prints no control characters', () => {
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
