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
  const noChoice = (choice: string) => `keyScope cannot be ${choice}, only team or teamAndOperation.`
  const noEquals = (text: string) => `${text} is not written as name=choice, such as contactMatching=phoneThenEmail.`

  test.each([
    [
      'a misspelt name',
      'contactMaching=refuse',
      noName('"contactMaching"; close to it are contactMatching, contactEmailForm and upsertMatching'),
    ],
    [
      'a part of several names',
      'schedule=now',
      noName('"schedule"; close to it are scheduleZone, scheduleForm and scheduleInPast'),
    ],
    ['a property name of every object', 'constructor=refuse', noName('"constructor"')],
    ['the name __proto__', '__proto__=refuse', noName('"__proto__"')],
    ['a name of a million letters', `${'x'.repeat(1e6)}=team`, noName(`"${'x'.repeat(40)}…"`)],
    ['nothing', '', noEquals('""')],
    ['a name without a choice', 'keyScope', noEquals('"keyScope"')],
    ['an unknown choice', 'keyScope=planet', noChoice('"planet"')],
    ['a NUL and a terminal colour', 'keyScope=te\0am\x1b[31m', noChoice('"te\\u0000am\\u001b[31m"')],
    [
      'characters that change the text direction',
      'keyScope=t\u202eeam\x9b',
      noChoice(String.raw`"t\u{202e}eam\u{9b}"`),
    ],
    ['a choice of a million letters', `keyScope=${'x'.repeat(1e6)}`, noChoice(`"${'x'.repeat(40)}…"`)],
    [
      'an unknown choice, where another has a number',
      'rateLimit=sometimes',
      'rateLimit cannot be "sometimes", only none or perMinute:60.',
    ],
    ['an unexpected number', 'keyScope=team:1', 'keyScope=team takes no number, so ":1" cannot follow it.'],
    ['an unexpected colon', 'keyScope=team:', 'keyScope=team takes no number, so ":" cannot follow it.'],
  ])(
    '%s',
    (_what, text, sentence) => {
      expect(() => readChoice(text)).toThrow(new UnreadableChoice(sentence))
    },
    1000, // milliseconds: a long text must not be compared with every name
  )

  test.each(['', ':', ':0', ':-1', ':1.5', ':1e3', ':01', ': 1', ':１', ':NaN', ':1000000000', ':1:1'])(
    'a missing or invalid number: rateLimit=perMinute%s',
    (amount) => {
      const sentence =
        'rateLimit=perMinute needs a number of requests per minute, from 1 to 999999999, such as rateLimit=perMinute:60.'
      expect(() => readChoice(`rateLimit=perMinute${amount}`)).toThrow(new UnreadableChoice(sentence))
    },
  )

  test.each([
    [null, 'A profile gives names their choices, such as contactMatching: phoneThenEmail.'],
    ['keyScope: team', 'A profile gives names their choices, such as contactMatching: phoneThenEmail.'],
    [['keyScope'], 'A profile gives names their choices, such as contactMatching: phoneThenEmail.'],
    [{ failuresKept: false }, 'failuresKept cannot be false, only no or yes.'],
    [{ failuresKept: null }, 'failuresKept cannot be null, only no or yes.'],
    [{ failuresKept: ['no'] }, 'failuresKept cannot be a list, only no or yes.'],
    [{ failuresKept: { choice: 'no' } }, 'failuresKept cannot be an object, only no or yes.'],
    [
      JSON.parse('{ "__proto__": { "polluted": true } }'),
      'There is no assumption "__proto__"; `crm-sandbox assumptions` lists them all.',
    ],
  ])('the profile %j', (profile: unknown, sentence) => {
    expect(() => readProfile(profile)).toThrow(new UnreadableChoice(sentence))
    expect({}).not.toHaveProperty('polluted')
  })
})
