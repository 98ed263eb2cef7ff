import { from, path } from '../moves/move.ts'
import type { RecordKind } from '../moves/records.ts'
import { by, change, type Episode, make } from './episode.ts'

/** The life of a record: changed several times, seen after each, and deleted. */
const life: Episode = (pen, looks) => {
  const { walker } = pen
  const kind = walker.oneOf<RecordKind>(['company', 'product', 'deal', 'quote'])
  const id = make(pen, by('create', kind), kind === 'quote' ? { dealId: make(pen, 'createDeal') } : {})
  const at = path(`${kind}Id`, id)
  change(pen, by('update', kind), at, 'all')
  for (let turns = 4 + walker.draw(4); turns > 0; turns--) {
    change(pen, by('update', kind), at, 'few')
    if (walker.chance(30)) looks.record(kind, id)
  }
  pen.addGood(by('delete', kind), at)
  looks.record(kind, id)
  pen.add(by('delete', kind), at)
}

/** Records with no more than they must have, and what is added later. */
const bare: Episode = (pen, looks) => {
  const { walker } = pen
  const { name, pipeline, stage } = walker.some.deal()
  const { unitPrice, name: productName } = walker.some.product()
  const bodies = {
    company: { name: walker.some.company().name },
    product: { name: productName, unitPrice },
    deal: { name, pipeline, stage },
  }
  let dealId = walker.mint.unknownId()
  for (const kind of ['company', 'product', 'deal', 'quote'] as const) {
    const n = pen.addGood(by('create', kind), { body: kind === 'quote' ? { dealId } : bodies[kind] })
    const id = n === undefined ? walker.mint.unknownId() : from(n, 'data._id')
    if (kind === 'deal') dealId = id
    change(pen, by('update', kind), path(`${kind}Id`, id), 'few')
    looks.record(kind, id)
  }
}

/** Records that name each other: when one of them is changed or deleted, the others are looked at. */
const relations: Episode = (pen, looks) => {
  const { walker } = pen
  const company = make(pen, 'createCompany')
  const contactId = make(pen, 'createContact')
  const deal = make(pen, 'createDeal', { contactId, companyId: company })
  const quote = make(pen, 'createQuote', { dealId: deal })
  const conversation = make(pen, 'createConversation', { contactId })
  pen.addGood('updateContact', { ...path('contactId', contactId), body: { company } })
  pen.addGood('updateCompany', { ...path('companyId', company), body: { contacts: [contactId] } })
  const ids = { company, contact: contactId, deal, quote }
  const look = () => {
    for (const kind of ['company', 'deal', 'quote'] as const) looks.record(kind, ids[kind])
    looks.contact(contactId)
    pen.add('getConversation', path('conversationId', conversation))
  }
  const touched = walker.oneOf(['company', 'contact', 'deal', 'quote'] as const)
  const at = path(`${touched}Id`, ids[touched])
  change(pen, by('update', touched), at, 'few')
  look()
  pen.addGood(by('delete', touched), at)
  look()
}

/** A deal and its quotes, through their statuses and stages. */
const offer: Episode = (pen, looks) => {
  const { walker } = pen
  const dealId = make(pen, 'createDeal')
  const at = path('dealId', dealId)
  const first = make(pen, 'createQuote', { dealId })
  change(pen, 'updateQuote', path('quoteId', first), 'all')
  pen.addGood('updateDeal', { ...at, body: { name: walker.mint.name('Engine for all mills') } })
  const second = pen.addGood('createQuote', { body: { dealId } })
  for (const status of walker
    .oneOf(['published sent accepted', 'sent published accepted', 'published declined accepted'])
    .split(' ')) {
    pen.addGood('updateQuote', { ...path('quoteId', first), body: { status } })
    change(pen, 'updateQuote', path('quoteId', first), 'few')
    if (walker.chance(60)) looks.record('deal', dealId)
  }
  for (const stage of ['won', '«stage»', 'lost']) pen.addGood('updateDeal', { ...at, body: { stage } })
  looks.record('quote', first)
  if (second !== undefined) looks.record('quote', from(second, 'data._id'))
  pen.addGood('deleteDeal', at)
  looks.record('quote', first)
  looks.record('deal', dealId)
}

export const recordEpisodes = [life, life, life, life, bare, relations, relations, offer]
