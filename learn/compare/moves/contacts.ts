import { fieldsOf } from '../../../client/answer.ts'
import type { StepInput } from '../walk.ts'
import type { Fields, Walker } from '../walker.ts'
import { customFields, firstName, groups, lastName, text } from '../values.ts'
import { changesOf, from, type Moves, path } from './move.ts'

const statuses = ['open', 'in-progress', 'closed']
const stages = ['Lead', 'Customer', 'Event', 'Live Chat']

export const contactMoves = {
  createContact: {
    weight: 6,
    input: (walker) => ({ body: walker.some.contact({ ...addresses(walker), ...more(walker), ...inGroups(walker) }) }),
    after: addPerson,
  },
  updateContact: {
    weight: 7,
    input: (walker) => {
      const person = walker.people.pickAny()
      return person && { ...path('contactId', person.id), body: changesOf(walker, 'contact', changes(walker)) }
    },
    changes,
  },
  createOrUpdateContact: {
    weight: 8,
    input: (walker) => {
      const known = walker.oneOf(['a known one', 'a known one', 'a new one']) === 'a known one' && walker.people.pick()
      const matching = known ? { email: known.email, phone: known.phone } : addresses(walker)
      return { body: walker.some.upsert({ ...matching, ...more(walker) }) }
    },
    after: addPerson,
  },
  deleteContact: {
    weight: 4,
    input: (walker) => {
      const conversation = walker.chance(60) ? walker.conversations.pick() : undefined
      const person = conversation?.person ?? walker.people.pickAny()
      return person && path('contactId', person.id)
    },
    after: (walker, _, input) => {
      const { contactId } = input.path ?? {}
      walker.people.remove(({ id }) => id === contactId)
      walker.conversations.remove(({ person }) => person?.id === contactId)
    },
  },
  deleteContactsByEmail: {
    weight: 3,
    input: (walker) => ({ query: { email: walker.people.pickAny()?.email ?? walker.mint.email() } }),
    after: (walker, _, input) => {
      const { email } = input.query ?? {}
      walker.people.remove((person) => person.email === email)
      walker.conversations.remove(({ person }) => person?.email === email)
    },
  },
} satisfies Moves

function addresses(walker: Walker) {
  return {
    email: walker.chance(85) ? walker.email() : undefined,
    phone: walker.chance(80) ? walker.phone() : undefined,
  } as object
}

const more = (walker: Walker) =>
  walker.someOf({
    firstName: () => firstName(walker),
    lastName: () => lastName(walker),
    source: () => text(walker, 'fair'),
    status: () => walker.oneOf(statuses),
    lifecycleStage: () => walker.oneOf(stages),
    additionalFields: () => customFields(walker),
  })

const inGroups = (walker: Walker) => walker.someOf({ groupIds: () => groups(walker) })

function changes(walker: Walker): Fields {
  return {
    firstName: () => firstName(walker),
    lastName: () => lastName(walker),
    email: () => walker.email(),
    phone: () => walker.phone(),
    status: () => walker.oneOf(statuses),
    source: () => text(walker, 'web'),
    lifecycleStage: () => walker.oneOf(stages),
    groupIds: () => groups(walker),
    company: () => walker.records.company.pickAny()?.id ?? walker.mint.unknownId(),
    additionalFields: () => customFields(walker),
  }
}

function addPerson(walker: Walker, n: number, { body }: StepInput): void {
  const { email, phone } = fieldsOf(body)
  walker.people.add({ id: from(n, 'data._id'), email: textOr(email), phone: textOr(phone) })
}

export const textOr = (value: unknown) => (typeof value === 'string' ? value : undefined)
