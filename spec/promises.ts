import { access } from './promises/access.ts'
import { companies } from './promises/companies.ts'
import { contacts } from './promises/contacts.ts'
import { conversations } from './promises/conversations.ts'
import { deals } from './promises/deals.ts'
import { envelope } from './promises/envelope.ts'
import { errors } from './promises/errors.ts'
import { messages } from './promises/messages.ts'
import { products } from './promises/products.ts'
import { quotes } from './promises/quotes.ts'
import { templates } from './promises/templates.ts'
import type { Wording } from './promises/wording.ts'
import type { Section } from './sections.ts'

const groups = widenTexts({
  envelope,
  access,
  errors,
  conversations,
  messages,
  templates,
  contacts,
  companies,
  products,
  deals,
  quotes,
})

type Groups = typeof groups
type Values<T> = T[keyof T]
/** Each row by its id, whichever group and section it is in. */
type Rows = { [Id in PromiseId]: Values<{ [G in keyof Groups]: RowIn<Groups[G], Id> }> }
type RowIn<Group, Id> = Values<{ [In in keyof Group]: Id extends keyof Group[In] ? Group[In][Id] : never }>

/** The ids of all promises; any other id does not compile. */
export type PromiseId = Values<{ [G in keyof Groups]: Values<{ [In in keyof Groups[G]]: keyof Groups[G][In] }> }>
export type PromiseGroup = keyof Groups

/** A promise with its id, group and section. */
export type PromiseEntry<Id extends PromiseId = PromiseId> = Wording & {
  readonly id: Id
  readonly group: PromiseGroup
  readonly section: Section
  /** `usual` if it has a reason: a server that breaks it gets a warning. */
  readonly strength?: 'usual'
}

/** Every promise, in the order of the groups. */
export const promises: readonly PromiseEntry[] = Object.entries(groups).flatMap(([group, sections]) =>
  Object.entries<Record<string, Wording>>(sections).flatMap(([section, rows]) =>
    Object.entries(rows).map(([id, wording]) => {
      const strength = wording.reason === undefined ? {} : { strength: 'usual' }
      return { id, group, section, ...wording, ...strength } as PromiseEntry
    }),
  ),
)

const byId = new Map(promises.map((entry) => [entry.id, entry]))

/** The promise with this id; its `fields` and `values` keep their literal types. */
export function promise<Id extends PromiseId>(id: Id): PromiseEntry<Id> & Rows[Id] {
  // Object.entries loses which row belongs to which id; the return type restores it.
  return byId.get(id) as PromiseEntry<Id> & Rows[Id]
}

/** Widens each text to string: in the published types, the words would take as much room as all the rest. */
function widenTexts<const All>(all: All) {
  return all as {
    readonly [Group in keyof All]: {
      readonly [In in keyof All[Group]]: {
        readonly [Id in keyof All[Group][In]]: {
          readonly [Fact in keyof All[Group][In][Id]]: Fact extends 'words' | 'reason'
            ? string
            : All[Group][In][Id][Fact]
        }
      }
    }
  }
}
