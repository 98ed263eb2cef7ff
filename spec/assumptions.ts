import { access } from './assumptions/access.ts'
import { answers } from './assumptions/answers.ts'
import { bulk } from './assumptions/bulk.ts'
import { contacts } from './assumptions/contacts.ts'
import { conversations } from './assumptions/conversations.ts'
import { listing } from './assumptions/lists.ts'
import { mergeFieldRules } from './assumptions/merge-fields.ts'
import { messages } from './assumptions/messages.ts'
import { records } from './assumptions/records.ts'
import type { Assumption, MeaningWithAmount } from './assumptions/register.ts'
import { requests } from './assumptions/requests.ts'
import { retries } from './assumptions/retries.ts'
import { templates, templateSends } from './assumptions/templates.ts'

export type { Meaning, Probe } from './assumptions/register.ts'

/**
 * The register of assumptions: everything that the specification leaves open and that a client could notice, with the
 * possible choices and the one assumed. The names are public: they appear in flags, profiles and headers.
 */
export const assumptions = {
  ...access,
  ...retries,
  ...requests,
  ...answers,
  ...listing,
  ...conversations,
  ...contacts,
  ...messages,
  ...mergeFieldRules,
  ...bulk,
  ...templates,
  ...templateSends,
  ...records,
}

export type AssumptionName = keyof typeof assumptions

/** The choices of an assumption, such as `'emailThenPhone' | 'phoneThenEmail'`. */
export type Choice<Name extends AssumptionName> = keyof ChoicesOf<Name> & string

/** A choice for every assumption. */
export type Choices = { readonly [Name in AssumptionName]: Choice<Name> }

/** One rule per choice; a missing choice does not compile. */
export type ByChoice<Name extends AssumptionName, Rule> = Readonly<Record<Choice<Name>, Rule>>

/** The choices of an assumption that need a number, such as `'perMinute'`. */
export type ChoiceWithAmount<Name extends AssumptionName> = {
  [C in Choice<Name>]: ChoicesOf<Name>[C] extends MeaningWithAmount ? C : never
}[Choice<Name>]

/** The assumptions with such a choice. */
export type NameWithAmount = {
  [Name in AssumptionName]: ChoiceWithAmount<Name> extends never ? never : Name
}[AssumptionName]

type ChoicesOf<Name extends AssumptionName> = (typeof assumptions)[Name]['choices']

export const assumptionNames = Object.keys(assumptions) as AssumptionName[]

/** An entry of the register, as the common type of all entries. */
export const assumption = (name: AssumptionName): Assumption => assumptions[name]
