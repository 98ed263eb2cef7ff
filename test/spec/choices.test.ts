import { describe, expect, test } from 'vitest'
import { assumption, assumptionNames } from '../../spec/assumptions.ts'
import { chooseAll, readChoice, readProfile, UnreadableChoice } from '../../spec/choices.ts'

describe('Choosing', () => {
  test('uses the assumed choices by default', () => {
    const chosen = chooseAll()
    expect(Object.keys(chosen)).toEqual(assumptionNames)
    for (const name of assumptionNames) expect(chosen[name]).toEqual({ choice: assumption(name).assumed })
  })

  test('uses the written choices, and the assumed ones for the rest', () => {
    const chosen = chooseAll({ contactMatching: 'phoneThenEmail', rateLimit: 'perMinute:60' })
    expect(chosen.contactMatching).toEqual({ choice: 'phoneThenEmail' })
    expect(chosen.rateLimit).toEqual({ choice: 'perMinute', amount: 60 })
    expect(chosen.keyScope).toEqual({ choice: 'team' })
  })

  test('reads every choice in the format of the command line', () => {
    for (const name of assumptionNames)
      for (const [choice, meaning] of Object.entries(assumption(name).choices)) {
        const amount = typeof meaning === 'string' ? undefined : meaning.amount.usual
        const written = readChoice(`${name}=${amount === undefined ? choice : `${choice}:${amount}`}`)
        expect(chooseAll(written)[name]).toEqual(amount === undefined ? { choice } : { choice, amount })
      }
  })
})

describe('An invalid choice is refused with one sentence:', () => {
  const noName = (name: string) => `There is no assumption ${name}; \`crm-sandbox assumptions\` lists them all.`
  const noChoice = 'keyScope must be team or teamAndOperation.'
  const noNumber = 'rateLimit must be none or perMinute:60, with any number of requests per minute from 1 to 999999999.'
  const noEquals = (text: string) => `${text} is not written as name=choice, such as contactMatching=phoneThenEmail.`

  test.each([
    [
      'a misspelt name',
      'contactMaching=refuse',
      noName('"contactMaching"; close to it: contactMatching, contactEmailForm, upsertMatching'),
    ],
    [
      'a part of several names',
      'schedule=now',
      noName('"schedule"; close to it: scheduleZone, scheduleForm, scheduleInPast'),
    ],
    ['a property name of every object', 'constructor=refuse', noName('"constructor"')],
    ['the name __proto__', '__proto__=refuse', noName('"__proto__"')],
    ['a name of a million letters', `${'x'.repeat(1e6)}=team`, noName(`"${'x'.repeat(40)}…"`)],
    ['nothing', '', noEquals('""')],
    ['a name without a choice', 'keyScope', noEquals('"keyScope"')],
    ['an unknown choice', 'keyScope=planet', noChoice],
    ['a NUL and a terminal colour', 'keyScope=te\0am\x1b[31m', noChoice],
    ['a choice of a million letters', `keyScope=${'x'.repeat(1e6)}`, noChoice],
    ['an unknown choice, where another has a number', 'rateLimit=sometimes', noNumber],
    ['an unexpected number', 'keyScope=team:1', noChoice],
    ['an unexpected colon', 'keyScope=team:', noChoice],
  ])(
    '%s',
    (_what, text, sentence) => expect(() => readChoice(text)).toThrow(new UnreadableChoice(sentence)),
    1000, // milliseconds: a long text must not be compared with every name
  )

  test.each(['', ':', ':0', ':-1', ':1.5', ':1e3', ':01', ': 1', ':１', ':NaN', ':1000000000', ':1:1'])(
    'a missing or invalid number: rateLimit=perMinute%s',
    (amount) => expect(() => readChoice(`rateLimit=perMinute${amount}`)).toThrow(new UnreadableChoice(noNumber)),
  )

  test.each([
    [null, 'A profile gives names their choices, such as contactMatching: phoneThenEmail.'],
    ['keyScope: team', 'A profile gives names their choices, such as contactMatching: phoneThenEmail.'],
    [['keyScope'], 'A profile gives names their choices, such as contactMatching: phoneThenEmail.'],
    [{ failuresKept: false }, 'failuresKept must be no or yes.'],
    [{ failuresKept: null }, 'failuresKept must be no or yes.'],
    [{ failuresKept: ['no'] }, 'failuresKept must be no or yes.'],
    [{ failuresKept: { choice: 'no' } }, 'failuresKept must be no or yes.'],
    [
      JSON.parse('{ "__proto__": { "polluted": true } }'),
      'There is no assumption "__proto__"; `crm-sandbox assumptions` lists them all.',
    ],
  ])('the profile %j', (profile: unknown, sentence) => {
    expect(() => readProfile(profile)).toThrow(new UnreadableChoice(sentence))
    expect({}).not.toHaveProperty('polluted')
  })
})

test('a profile of an earlier version is read by the names of today', () => {
  const earlier = { contactStatusMoves: 'forwardOnly', voice: { notFound: 'Nothing here' }, longLists: 'refused' }
  expect(readProfile(earlier)).toEqual({ statusMoves: 'forwardOnly' })
})

test('a choice for an entry that the register no longer has is ignored, with one warning that names it', async () => {
  const warnings: Error[] = []
  const listen = (warning: Error) => {
    if (warning.message.startsWith('scheduleHorizon')) warnings.push(warning)
  }
  process.on('warning', listen)
  expect(readProfile({ scheduleHorizon: 'atMost:30', keyScope: 'team' })).toEqual({ keyScope: 'team' })
  expect(readChoice('scheduleHorizon=none')).toEqual({})
  await new Promise(setImmediate)
  process.off('warning', listen)
  expect(warnings.map(({ message }) => message)).toEqual([
    'scheduleHorizon is no assumption any more: its choice has no effect, and can be deleted',
  ])
})
