import { plainType } from '../../client/bodies.ts'
import type { Answer } from '../../client/answer.ts'
import type { Tools } from '../../client/tools.ts'
import { isOnly } from './attempts.ts'
import type { Material } from './material.ts'
import { createReachable, somebody } from './reachable-contact.ts'
import { emailsAndReceivers, otherPhones } from './refused-addresses.ts'
import { mediaUrl } from './refused-media.ts'

/** What the checks write in free texts, and what a server may take instead that has a list or a form for them. */
const freeTexts = {
  createCompany: {
    industry: ['Machinery', 'Software', 'Technology', 'COMPUTER_SOFTWARE', 'Retail'],
    state: ['Greater London', 'CA', 'California', 'London'],
    zip: ['NW1 4RY', '94105', 'NW14RY'],
    postalCode: ['NW1 4RY', '94105', 'NW14RY'],
    country: ['GB', 'United Kingdom', 'US', 'United States', 'GBR', 'UK'],
  },
  createProduct: {
    term: ['12', '12 months', 'annual', 'yearly', 'P12M', '1 year'],
    productType: ['machine', 'service', 'inventory', 'physical', 'goods'],
  },
} as const

const companyWith: CreateWith = ({ call, mint }, fields) =>
  call('createCompany', { body: { name: mint.name('Engines'), ...fields } })

const productWith: CreateWith = ({ call, some }, fields) => call('createProduct', { body: some.product(fields) })

export const materials: readonly Material[] = [
  ...emailsAndReceivers,
  {
    isIn: (request) => request.includes('"domain":"'),
    isRefused: async ({ call, some }) => {
      const { name, ...others } = some.company()
      return isOnly(await call('createCompany', { body: { name, ...others } }), [
        () => call('createCompany', { body: { name: some.company().name } }),
      ])
    },
    words: ({ some }) =>
      `this server refuses a company at ${String(some.company().domain)}; name another domain with --email-domain`,
  },
  {
    isIn: (request) => request.includes('"currency":"'),
    isRefused: async ({ call, some }) => {
      const { currency, ...deal } = some.deal()
      return isOnly(await call('createDeal', { body: { ...deal, currency } }), [
        () => call('createDeal', { body: deal }),
      ])
    },
    words: ({ some }) => `this server refuses deals in ${String(some.deal().currency)}`,
  },
  ...otherPhones,
  mediaUrl,
  ...Object.entries(freeTexts.createCompany).map(([field, values]) => freeText(field, values, companyWith)),
  ...Object.entries(freeTexts.createProduct).map(([field, values]) => freeText(field, values, productWith)),
  {
    isIn: (request) => /"language":"|name="language"/.test(request),
    isRefused: refusesLanguages,
    words: () => 'this server does not take the language en without a region, or not the language de',
  },
  {
    isIn: (request) => request.includes('"source":"'),
    isRefused: async (tools) =>
      (await isOnly(await createReachable(tools, { source: tools.mint.name('contract') }), [
        () => createReachable(tools, {}),
      ])) || refusesSourceOfMessages(tools),
    words: () => 'this server refuses sources that nobody has defined',
  },
  {
    isIn: (request) => request.includes('"additionalFields":{"'),
    isRefused: async (tools) =>
      isOnly(await createReachable(tools, { additionalFields: { favouriteColour: 'teal' } }), [
        () => createReachable(tools, {}),
      ]),
    words: () => 'this server refuses custom fields that nobody has defined',
  },
]

type CreateWith = (tools: Tools, fields: object) => Promise<Answer>

/** A server that refuses the first of these texts, and takes another, keeps a list of its own. */
function freeText(field: string, [ours, ...others]: readonly string[], create: CreateWith): Material {
  return {
    isIn: (request) => request.includes(`"${field}":"`),
    isRefused: async (tools) =>
      isOnly(
        await create(tools, { [field]: ours }),
        others.map((value) => () => create(tools, { [field]: value })),
      ),
    words: () => `this server does not take ${String(ours)} as ${field}`,
  }
}

async function refusesSourceOfMessages(tools: Tools): Promise<boolean> {
  const { call, some } = tools
  const contactId = await somebody(tools)
  const chat = (fields: object) => call('sendLiveMessage', { body: some.chat({ contactId, ...fields }) })
  return isOnly(await chat({ source: 'Contract' }), [() => chat({})])
}

/** Those that the checks write in. */
async function refusesLanguages({ call, some, target }: Tools): Promise<boolean> {
  const create = (language: string | undefined) =>
    call('createTemplate', { body: { ...some.template[plainType(target)](), language } })
  return (
    (await isOnly(await create('en'), [() => create(undefined)])) ||
    isOnly(await create('de'), [() => create('en'), () => create(undefined)])
  )
}
