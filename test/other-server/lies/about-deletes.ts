import type { PromiseId } from '../../../spec/promises.ts'
import type { Given, Operation } from '../replies.ts'
import type { Stored } from '../team.ts'
import { deletes, type Liar } from './lying.ts'

const kinds = ['contact', 'template', 'company', 'product', 'deal', 'quote'] as const
type Kind = (typeof kinds)[number]

/** A record of the kind that goes with the one that is meant; all of them, and the place of that one. */
type Choose = (all: readonly Stored[], index: number) => Stored | undefined

const likeIt =
  (...fields: readonly string[]): Choose =>
  (all, index) =>
    all.find(
      (one, at) =>
        at !== index && fields.some((field) => one[field] !== undefined && one[field] === all[index]?.[field]),
    )

const choices: Readonly<Record<string, Choose>> = {
  'the oldest of the team': ([first, second], index) => (index === 0 ? second : first),
  'the one made before it': (all, index) => all[index - 1],
  'the one made after it': (all, index) => all[index + 1],
  'one of the same name': likeIt('name', 'lastName'),
}

const ofKinds: readonly (readonly [name: string, kind: Kind, choose: Choose])[] = [
  ...Object.entries(choices).flatMap(([name, choose]) => kinds.map((kind) => [name, kind, choose] as const)),
  ['one of the same domain', 'company', likeIt('domain')],
  ['one of the same SKU', 'product', likeIt('sku')],
  ['one of the same deal', 'quote', likeIt('dealId')],
  ['one of the same contact', 'deal', likeIt('contactId')],
  ['one of the same provider', 'template', likeIt('provider')],
  ['one of the same source', 'contact', likeIt('source')],
]

/** The records that other checks have made are older than those of the check that deletes. */
const before: Readonly<Record<Kind, PromiseId>> = {
  contact: 'contact.createShowsWhatWasGiven',
  template: 'template.createAnswersWithTheTemplate',
  company: 'company.createShowsTheRecord',
  product: 'product.createShowsTheRecord',
  deal: 'deal.createShowsTheRecord',
  quote: 'quote.createShowsTheRecord',
}

/** Lies about deletes, which take a record besides the one that is meant. */
export const aboutDeletes: Readonly<Record<string, Liar>> = {
  ...Object.fromEntries(
    ofKinds.map(([name, kind, choose]) => [`a delete of a ${kind} takes ${name} too`, takingToo(kind, choose)]),
  ),
  'a delete of a template takes one too that was there before the run': {
    ...takingToo('template', ([oldest]) => oldest),
    knobs: { templatesBefore: 40 },
  },
}

function takingToo(kind: Kind, choose: Choose): Liar {
  return {
    after: [before[kind]],
    breaks: kind === 'contact' ? 'contact.deleteSparesOthers' : `${kind}.deletedIsGone`,
    lie: () => ({
      [deletes[kind]]: (original: Operation) => (given: Given) => {
        const all = given.team.shelf(kind).all()
        const other = choose(
          all,
          all.findIndex(({ _id }) => _id === given.path[0]),
        )
        const reply = original(given)
        if (other) given.team.remove(kind, other._id)
        return reply
      },
    }),
  }
}
