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
import type { RequirementKind, Wording } from './promises/wording.ts'
import type { Section } from './sections.ts'

const groups = {
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
}

export type { RequirementKind }

export type PromiseGroup = keyof typeof groups

/** The ids of all promises; any other id does not compile. */
export type PromiseId = KeyOf<AllRows>
/** Each row by its id, whichever group and section it is in. */
type Rows = { [Id in PromiseId]: RowIn<AllRows, Id> }
type AllRows = (typeof groups)[PromiseGroup][number]['rows']
type KeyOf<Some> = Some extends unknown ? keyof Some : never
type RowIn<Some, Id extends PromiseId> = Some extends Readonly<Record<Id, infer Row>> ? Row : never

/** A promise with its id, group and section. */
export type PromiseEntry<Id extends PromiseId = PromiseId> = Wording & {
  readonly id: Id
  readonly group: PromiseGroup
  readonly section: Section
}

/** Every promise, in the order of the groups. */
export const promises: readonly PromiseEntry[] = Object.entries(groups).flatMap(([group, all]) =>
  all.flatMap(({ section, rows }) =>
    Object.entries<object>(rows).map(([id, row]) => ({ id, group, section, ...row }) as PromiseEntry),
  ),
)

const byId = new Map(promises.map((entry) => [entry.id, entry]))

/** The promise with this id; its `fields` and `values` keep their literal types. */
export function promise<Id extends PromiseId>(id: Id): PromiseEntry<Id> & Rows[Id] {
  // Object.entries loses which row belongs to which id; the return type restores it.
  return byId.get(id) as PromiseEntry<Id> & Rows[Id]
}
