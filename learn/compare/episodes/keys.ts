import type { OperationId } from '../../../spec/types.ts'
import { kindOf } from '../looks.ts'
import { from, path } from '../moves/move.ts'
import type { RecordKind } from '../moves/records.ts'
import type { StepInput } from '../walk.ts'
import { by, type Episode } from './episode.ts'

const taking: readonly OperationId[] = [
  'createContact',
  'createCompany',
  'createProduct',
  'createDeal',
  'createTemplate',
  'updateCompany',
  'sendLiveMessage',
]

/** A key used again: with the same request, with another body, and elsewhere. */
const again: Episode = (pen, looks) => {
  const { walker } = pen
  const operation = walker.oneOf(taking)
  const [first, other] = [pen.draft(operation), pen.draft(operation)]
  if (!first || !other) return
  const keyed = { key: walker.mint.key() }
  const n = pen.addGood(operation, { ...first, ...keyed })
  pen.addGood(operation, { ...first, ...keyed })
  if (walker.chance(60)) pen.add(operation, { ...other, ...keyed })
  if (walker.chance(40)) {
    const elsewhere = walker.oneOf(taking)
    pen.add(elsewhere, withKey(pen.draft(elsewhere), keyed))
  }
  if (n !== undefined && kindOf(operation)) looks.at(operation, n, first)
}

/** A key used again after something else has changed or deleted what the first request made. */
const late: Episode = (pen, looks) => {
  const { walker } = pen
  const kind = walker.oneOf<RecordKind>(['company', 'deal', 'product', 'quote'])
  const draft = pen.draft(by('create', kind))
  if (!draft) return
  const [creation, update] = [{ ...draft, key: walker.mint.key() }, { key: walker.mint.key() }]
  const n = pen.addGood(by('create', kind), creation)
  if (n === undefined) return
  const at = path(`${kind}Id`, from(n, 'data._id'))
  const changed = { ...at, ...update, body: { name: walker.mint.name('Analytical') } }
  pen.addGood(by('update', kind), changed)
  pen.addGood(by('update', kind), { ...at, body: { name: walker.mint.name('Difference') } })
  pen.addGood(by('update', kind), changed)
  looks.record(kind, from(n, 'data._id'))
  pen.addGood(by('create', kind), creation)
  const removal = { ...at, key: walker.mint.key() }
  pen.addGood(by('delete', kind), removal)
  pen.add(by('delete', kind), removal)
  pen.add(by('create', kind), creation)
  looks.record(kind, from(n, 'data._id'))
}

const withKey = (draft: StepInput | undefined, keyed: { key: string }) => draft && { ...draft, ...keyed }

export const keyEpisodes = [again, again, late, late]
