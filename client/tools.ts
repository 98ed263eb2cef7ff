import type { AssumptionName, Choice } from '../spec/assumptions.ts'
import { operations } from '../spec/operations.ts'
import type { OperationId, Schemas } from '../spec/types.ts'
import type { Answer } from './answer.ts'
import type { Client } from './client.ts'
import type { Asked } from './request.ts'
import type { As } from './exchange.ts'
import { type Kind, kinds } from './operations/kinds.ts'
import type { Mint } from './mint.ts'
import { Inconclusive, Skipped } from '../contracts/judge/outcome.ts'
import { type Some, someOf } from './operations/some.ts'
import type { Target } from './target/target.ts'

/** What a check works with, as one caller: the team, unless another is named. */
export interface Tools {
  /** Asks an operation, and answers whatever came. */
  readonly call: <Id extends OperationId>(operation: Id, asked?: Asked) => Promise<Answer<Id>>
  /** A step on the way to what is checked: when it does not succeed, the check cannot tell. */
  readonly ask: <Id extends OperationId>(operation: Id, asked?: Asked) => Promise<Answer<Id>>
  /** Makes records that are cleaned up after the run. */
  readonly made: Made
  /** A record as it is now; `undefined` when it is not there. */
  readonly look: <K extends Kind>(kind: K, record: Named) => Promise<Records[K] | undefined>
  /** Bodies with which every create succeeds. */
  readonly some: Some
  readonly mint: Mint
  /** The same for another caller. */
  readonly as: (who: As) => Tools
  /** Somebody to whom a message may go: whom the operator named or, on this machine, nobody. */
  readonly recipient: { readonly email: () => string; readonly phone: () => string }
  /** A provider of the team, by its id or by its address. */
  readonly provider: (channel: 'email' | 'sms' | 'whatsapp', by?: 'id' | 'address') => string
  /** Notes what the server does where the specification leaves it open. */
  readonly observe: <Name extends AssumptionName>(assumption: Name, choice: Choice<Name>) => void
  readonly target: Target
}

export interface Made {
  readonly contact: (fields?: object) => Promise<Schemas['Contact']>
  /** The conversation of a new contact. */
  readonly conversation: (fields?: object) => Promise<Schemas['Conversation']>
  readonly company: (fields?: object) => Promise<Schemas['Company']>
  readonly product: (fields?: object) => Promise<Schemas['Product']>
  readonly deal: (fields?: object) => Promise<Schemas['Deal']>
  /** A quote from a new deal, unless it names one. */
  readonly quote: (fields?: { dealId?: string }) => Promise<Schemas['Quote']>
  /** A template as its create answers, which shows less of it than a read. */
  readonly template: (type: 'sms' | 'email' | 'whatsapp', fields?: object) => Promise<Schemas['TemplateCreated']>
}

interface Records {
  contact: Schemas['Contact']
  company: Schemas['Company']
  product: Schemas['Product']
  deal: Schemas['Deal']
  quote: Schemas['Quote']
  template: Schemas['Template']
}

interface Named {
  readonly _id: string
  readonly name?: string
  readonly firstName?: string
}

export function toolsOf(client: Client, target: Target, mint: Mint, who: As = 'team'): Tools {
  const some = someOf(mint, target.places)
  const call: Tools['call'] = (operation, asked) => client.call(operation, { who, ...asked })
  const ask: Tools['ask'] = async (operation, asked) => {
    const answer = await call(operation, asked)
    if (!answer.succeeded) throw new Inconclusive(`it builds on ${operation}, and ${answer.said} ended it`)
    return answer
  }
  const provider: Tools['provider'] = (channel, by) => {
    const { id, address } = target.providers[channel] ?? {}
    const named = by === undefined ? (id ?? address) : { id, address }[by]
    if (named === undefined) throw new Skipped(`it takes the ${by ?? 'id'} of a provider: --${channel}-provider`)
    return named
  }
  return {
    call,
    ask,
    some,
    mint,
    target,
    provider,
    made: madeBy(ask, some, provider),
    look: lookingWith(call, client),
    as: (other) => toolsOf(client, target, mint, other),
    recipient: {
      email: () => recipientOf(target, 'email') ?? mint.email(),
      phone: () => recipientOf(target, 'phone') ?? mint.phone(),
    },
    observe: (assumption, choice) => {
      client.seen.observe(assumption, choice)
    },
  }
}

function madeBy(ask: Tools['ask'], some: Some, provider: Tools['provider']): Made {
  const made: Made = {
    contact: async (fields) => identified(await ask('createContact', { body: some.contact(fields) })),
    conversation: async (fields) => {
      const { _id: contactId } = await made.contact(fields)
      return identified(await ask('createConversation', { body: { contactId } }))
    },
    company: async (fields) => identified(await ask('createCompany', { body: some.company(fields) })),
    product: async (fields) => identified(await ask('createProduct', { body: some.product(fields) })),
    deal: async (fields) => identified(await ask('createDeal', { body: some.deal(fields) })),
    quote: async (fields) => {
      const dealId = fields?.dealId ?? (await made.deal())._id
      return identified(await ask('createQuote', { body: some.quote(dealId, fields) }))
    },
    template: async (type, fields) =>
      identified(await ask('createTemplate', { body: some.template[type](provider(type, 'id'), fields) })),
  }
  return made
}

/** Without an id there is nothing to go on with, whichever promise that breaks. */
function identified<Id extends OperationId>({ data, said }: Answer<Id>): Answer<Id>['data'] {
  const { _id } = data as { _id?: unknown }
  if (typeof _id !== 'string') throw new Inconclusive(`there is no id in the data of ${said}`)
  return data
}

/** There is no operation to read most records: an update that changes nothing shows them. */
function lookingWith(call: Tools['call'], client: Client): Tools['look'] {
  return async <K extends Kind>(kind: K, record: Named) => {
    const { see, parameter } = kinds[kind]
    const path = { [parameter]: record._id }
    const body = operations[see].method === 'get' ? undefined : {}
    const first = await call(see, { path, body })
    if (body && first.succeeded) client.seen.observe('emptyUpdate', 'noChange')
    const answer = body && first.status === 400 ? await touched() : first
    if (answer.status === 404) return undefined
    if (!answer.succeeded) throw new Inconclusive(`the ${kind} cannot be seen: ${answer.said}`)
    return answer.data as Records[K]

    /** The name that it has already. */
    async function touched() {
      client.seen.observe('emptyUpdate', 'refused')
      return call(see, {
        path,
        body: record.firstName === undefined ? { name: record.name } : { firstName: record.firstName },
      })
    }
  }
}

function recipientOf({ loopback, recipients }: Target, kind: 'email' | 'phone'): string | undefined {
  if (loopback) return undefined
  const [first] = recipients[kind]
  if (first === undefined) throw new Skipped(`it takes somebody who may be written to: --${kind}-to`)
  return first
}
