import type { Fields } from '../team.ts'
import { type Liar, asciiOnly, escapeHtml, inTexts, misread, roundTo32, takingOthers, updates } from './lying.ts'

/** Lies about companies, products, deals and quotes. */
export const aboutRecords: Readonly<Record<string, Liar>> = {
  'a delete by e-mail takes addresses that begin alike': {
    breaks: 'contact.deleteByEmailSparesOthers',
    lie: takingOthers('DELETE /api/contacts/deleteContactsByEmail', ({ email }, { query }) =>
      String(email).startsWith(String(query.get('email'))),
    ),
  },
  'a delete by e-mail takes addresses that end alike': {
    breaks: 'contact.deleteByEmailSparesOthers',
    lie: takingOthers('DELETE /api/contacts/deleteContactsByEmail', ({ email }, { query }) =>
      String(email).endsWith(String(query.get('email'))),
    ),
  },
  'a delete takes others with the same phone': {
    breaks: 'contact.deleteSparesOthers',
    lie: takingOthers('DELETE /api/contacts/:id', ({ phone }, { team, path }) => {
      const meant = team.shelf('contact').get(path[0] ?? '')
      return phone !== undefined && phone === meant?.phone
    }),
  },
  'a delete takes others with the same e-mail address': {
    breaks: 'contact.deleteSparesOthers',
    lie: takingOthers('DELETE /api/contacts/:id', ({ email }, { team, path }) => {
      const meant = team.shelf('contact').get(path[0] ?? '')
      return email !== undefined && email === meant?.email
    }),
  },
  'an update of a product clears its SKU': {
    breaks: 'product.updateShowsTheChange',
    lie: misread(['PUT /api/products/:id'], (body) => ('unitPrice' in body ? { ...body, sku: '' } : body)),
  },
  'names of companies lose what is not ASCII': {
    breaks: 'company.createShowsTheRecord',
    lie: misread(['POST /api/companies/create'], inTexts(['name'], asciiOnly)),
  },
  'quotes in names of deals become entities': {
    breaks: 'deal.createShowsTheRecord',
    lie: misread(['POST /api/deals/create'], inTexts(['name'], escapeHtml)),
  },
  'prices are rounded to 32 bits': {
    breaks: 'product.createShowsTheRecord',
    lie: misread(['POST /api/products'], roundTo32(['unitPrice', 'unitCost'])),
  },
  'amounts are rounded to 32 bits': {
    breaks: 'deal.createShowsTheRecord',
    lie: misread(['POST /api/deals/create'], roundTo32(['amount'])),
  },
  'any billing is taken': {
    breaks: 'product.otherBillingIsRefused',
    lie: misread(['POST /api/products', 'PUT /api/products/:id'], ({ billingFrequency, ...body }) => body),
  },
  'names of companies are cut at 64 letters': {
    breaks: 'company.createShowsTheRecord',
    lie: misread(
      ['POST /api/companies/create'],
      inTexts(['name'], (text) => text.slice(0, 64)),
    ),
  },
  'names of deals are cut at 255 letters': {
    breaks: 'deal.createShowsTheRecord',
    lie: misread(
      ['POST /api/deals/create'],
      inTexts(['name'], (text) => text.slice(0, 255)),
    ),
  },
  'a list of close dates is taken for its first': {
    breaks: 'deal.closeDatesOfOtherTypesAreRefused',
    lie: misread(['POST /api/deals/create', updates.deal], ({ closeDate, ...others }) =>
      closeDate === undefined ? others : { ...others, closeDate: [closeDate].flat()[0] },
    ),
  },
  'a list of expiration dates is taken for its first': {
    breaks: 'quote.wrongTypesAreRefused',
    lie: misread([updates.quote], ({ expirationDate, ...others }) =>
      expirationDate === undefined ? others : { ...others, expirationDate: [expirationDate].flat()[0] },
    ),
  },
  'whatever is said of online payment is true': {
    breaks: 'quote.wrongTypesAreRefused',
    lie: misread([updates.quote], ({ acceptOnlinePayment, ...others }) =>
      acceptOnlinePayment === undefined ? others : { ...others, acceptOnlinePayment: Boolean(acceptOnlinePayment) },
    ),
  },
  ...Object.fromEntries(
    (
      [
        ['POST /api/contacts', 'contact.additionalFieldsAreAnObject'],
        [updates.contact, 'contact.additionalFieldsAreAnObject'],
        ['POST /api/companies/create', 'company.wrongTypesAreRefused'],
        [updates.company, 'company.wrongTypesAreRefused'],
      ] as const
    ).map(([route, breaks]) => [
      `${route} makes an object of any additional fields`,
      {
        breaks,
        lie: misread([route], ({ additionalFields, ...others }) =>
          additionalFields === undefined
            ? others
            : { ...others, additionalFields: { ...(additionalFields as object) } },
        ),
      },
    ]),
  ),
  ...Object.fromEntries(
    (
      [
        ['POST /api/deals/create', 'contacts', 'deal.otherContactsAreRefused'],
        [updates.deal, 'contacts', 'deal.otherContactsAreRefused'],
        ['POST /api/companies/create', 'contacts', 'company.wrongTypesAreRefused'],
        [updates.company, 'contacts', 'company.wrongTypesAreRefused'],
        ['POST /api/contacts', 'groupIds', 'contact.groupsAreAList'],
        [updates.contact, 'groupIds', 'contact.groupsAreAList'],
      ] as const
    ).flatMap(([route, field, breaks]) =>
      ['number', 'object'].map((type) => [
        `${route} takes ${type}s in ${field}`,
        { breaks, lie: misread([route], writingItems(field, type)) },
      ]),
    ),
  ),
  'amounts are counted in 32 bits of cents': {
    breaks: 'deal.createShowsTheRecord',
    lie: misread(['POST /api/deals/create'], (body) =>
      typeof body.amount === 'number' ? { ...body, amount: (Math.round(body.amount * 100) | 0) / 100 } : body,
    ),
  },
}

/** Makes texts of the items of this type in a list, so that it is taken. */
function writingItems(field: string, type: string) {
  return (body: Fields): Fields => {
    const list = body[field]
    if (!Array.isArray(list)) return body
    const items = list.map((one: unknown) => (typeof one === type ? JSON.stringify(one) : one))
    return { ...body, [field]: items }
  }
}
