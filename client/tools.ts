import type { AssumptionName, Choice } from '../spec/assumptions.ts'
import type { DataOf, OperationId, Schemas } from '../spec/types.ts'
import { type Answer, fieldsOf } from './answer.ts'
import { type Bodies, createBodies, type Ground, plainType } from './bodies.ts'
import type { Client } from './client.ts'
import { NotAllowed, StepFailed } from './errors.ts'
import type { Mint } from './mint.ts'
import { type Kind, kinds, pathTo, readOf, type Subject } from './kinds.ts'
import type { Input } from './request.ts'

import type { Caller } from './target/credentials.ts'
import type { Target } from './target/target.ts'

/** What a check, a probe or a seeder works with, as one caller: the team by default. */
export interface Tools extends Ground {
  /** Calls an operation and returns its answer, whatever it is. */
  readonly call: <Id extends OperationId>(operation: Id, input?: Input) => Promise<Answer<Id>>
  /** A call that must succeed for the rest to go on. */
  readonly ask: <Id extends OperationId>(operation: Id, input?: Input) => Promise<Answer<Id>>
  /** Makes records that are cleaned up after the run. */
  readonly make: Make
  /** The ids of the records that the run created and has not deleted, the oldest first. */
  readonly created: (kind: Kind) => readonly string[]
  /** A record as it is now; `undefined` when it does not exist. */
  readonly look: <K extends Kind>(kind: K, record: Subject) => Promise<Seen<K> | undefined>
  /** The answer that shows a record: to a read or, where there is none, to an update that changes nothing. */
  readonly view: <K extends Kind>(kind: K, record: Subject) => Promise<Answer<SeenBy<K>>>
  /** Bodies with which every create and send succeeds. */
  readonly some: Bodies
  /** The same tools for another caller. */
  readonly as: (caller: Caller) => Tools
  /** Notes what the server does where the specification leaves it open. */
  readonly observe: <Name extends AssumptionName>(assumption: Name, choice: Choice<Name>) => void
}

interface Make {
  readonly contact: (fields?: object) => Promise<Schemas['Contact']>
  /** The conversation of a new contact. */
  readonly conversation: (fields?: object) => Promise<Schemas['Conversation']>
  readonly company: (fields?: object) => Promise<Schemas['Company']>
  readonly product: (fields?: object) => Promise<Schemas['Product']>
  readonly deal: (fields?: object) => Promise<Schemas['Deal']>
  /** A quote from a new deal, unless the fields name one. */
  readonly quote: (fields?: { dealId?: string }) => Promise<Schemas['Quote']>
  /** A template as its create shows it, which is less than a read shows. */
  readonly template: (type: 'sms' | 'email' | 'whatsapp', fields?: object) => Promise<Schemas['TemplateCreated']>
}

type SeenBy<K extends Kind> = (typeof kinds)[K]['seenBy']
type Seen<K extends Kind> = NonNullable<DataOf<SeenBy<K>>>

export function createTools(client: Client, target: Target, mint: Mint, caller: Caller = 'team'): Tools {
  const own = caller === 'otherTeam' ? asOtherTeam(target) : target
  const ground = createGround(own, mint)
  const some = createBodies(ground)
  const call: Tools['call'] = (operation, input) => client.call(operation, { caller, ...input })
  const ask: Tools['ask'] = async (operation, input) => {
    const answer = await call(operation, input)
    if (!answer.succeeded)
      throw new StepFailed(`a step failed: ${answer.summary}${caller === 'otherTeam' ? hintAt(target, input) : ''}`)
    return answer
  }
  const observe: Tools['observe'] = (assumption, choice) => {
    client.observe(assumption, choice)
  }
  const view = createView(call)
  return {
    ...ground,
    call,
    ask,
    view,
    some,
    observe,
    make: createMake(ask, some),
    created: (kind) => client.created(kind, caller),
    look: async (kind, record) => {
      const answer = await view(kind, record)
      if (answer.status === 404) return undefined
      if (!answer.succeeded) throw new StepFailed(`the ${kind} cannot be seen: ${answer.summary}`)
      return answer.data
    },
    as: (other) => createTools(client, target, mint, other),
  }
}

/** The second team may have providers and pipelines of its own. */
const asOtherTeam = (target: Target): Target => ({
  ...target,
  providers: { ...target.providers, ...target.ofOtherTeam.providers },
  places: { ...target.places, ...target.ofOtherTeam.places },
})

/** What to do when the second team is refused something that it may not have. */
function hintAt({ ofOtherTeam }: Target, input?: Input): string {
  const { provider, providerId, pipeline } = fieldsOf(input?.body)
  if ((provider ?? providerId) !== undefined && Object.keys(ofOtherTeam.providers).length === 0)
    return '; if the second team has other providers, name them, such as with --other-sms-provider'
  if (pipeline !== undefined && ofOtherTeam.places.pipeline === undefined)
    return '; if the second team has other pipelines, name one with --other-pipeline-id'
  return ''
}

function createGround(target: Target, mint: Mint): Ground {
  const recipient = (kind: 'email' | 'phone') => {
    if (target.loopback) return mint[kind]()
    const [first] = target.recipients[kind]
    if (first === undefined) throw new NotAllowed(`needs a person who may be written to: --${kind}-to`)
    return first
  }
  return {
    mint,
    target,
    recipient: { email: () => recipient('email'), phone: () => recipient('phone') },
    provider: (channel, by) => {
      const { id, address } = target.providers[channel] ?? {}
      const named = by === undefined ? (id ?? address) : { id, address }[by]
      if (named === undefined) throw new NotAllowed(`needs the ${by ?? 'id'} of a provider: --${channel}-provider`)
      return named
    },
  }
}

function createMake(ask: Tools['ask'], some: Bodies): Make {
  const create = async <K extends Kind>(kind: K, body: object) => {
    const answer = await ask<(typeof kinds)[K]['createdBy']>(kinds[kind].createdBy, { body })
    return withId(answer)
  }
  const make: Make = {
    contact: (fields) => create('contact', some.contact(fields)),
    conversation: async (fields) => {
      const { _id: contactId } = await make.contact(fields)
      return withId(await ask('createConversation', { body: { contactId } }))
    },
    company: (fields) => create('company', some.company(fields)),
    product: (fields) => create('product', some.product(fields)),
    deal: (fields) => create('deal', some.deal(fields)),
    quote: async (fields) => create('quote', some.quote(fields?.dealId ?? (await make.deal())._id, fields)),
    template: (type, fields) => create('template', some.template[type](fields)),
  }
  return make
}

/** Without an id nothing can go on, whichever promise that breaks. */
function withId<Id extends OperationId>({ data, summary }: Answer<Id>): Answer<Id>['data'] {
  const { _id } = data as { _id?: unknown }
  if (typeof _id !== 'string') throw new StepFailed(`there is no id in the data of ${summary}`)
  return data
}

function createView(call: Tools['call']): Tools['view'] {
  return async (kind, record) => {
    const { seenBy } = kinds[kind]
    const [, input] = readOf(kind, record._id)
    const answer = await call(seenBy, input)
    if (input.body === undefined) return answer
    // That an empty update is accepted is a promise of its own.
    if (answer.status !== 400) return answer
    const { firstName, name } = record
    return call(seenBy, { ...input, body: firstName === undefined ? { name } : { firstName } })
  }
}

/** The records that requests are about. */
export interface Subjects {
  readonly record: (of: SubjectKind) => Promise<Subject>
  readonly id: (of: SubjectKind) => Promise<string>
  /** The parameter of a path that names the record. */
  readonly at: (of: SubjectKind) => Promise<{ path: Record<string, string> }>
  /** The e-mail address of the contact in the conversation. */
  readonly email: () => Promise<string>
}

type SubjectKind = Kind | 'conversation'

/** Records of the caller, each made when it is first asked for. */
export function newSubjects({ make, mint, target }: Tools): Subjects {
  const email = mint.email()
  const makers: Readonly<Record<SubjectKind, () => Promise<Subject>>> = {
    contact: () => make.contact(),
    conversation: () => make.conversation({ email }),
    company: () => make.company(),
    product: () => make.product(),
    deal: () => make.deal(),
    // From a deal of its own, which may have one quote.
    quote: () => make.quote(),
    template: () => make.template(plainType(target)),
  }
  const made = new Map<SubjectKind, Promise<Subject>>()
  const record: Subjects['record'] = (of) => {
    const known = made.get(of) ?? makers[of]()
    made.set(of, known)
    return known
  }
  return subjectsFrom(record, async () => {
    await record('conversation')
    return email
  })
}

/** Records that do not exist. */
export function unknownSubjects({ mint }: Tools): Subjects {
  return subjectsFrom(
    async () => ({ _id: mint.unknownId() }),
    async () => mint.email(),
  )
}

/** What requests need of records that are made in some way. */
export function subjectsFrom(record: Subjects['record'], email: Subjects['email']): Subjects {
  const id: Subjects['id'] = async (of) => (await record(of))._id
  return { record, id, email, at: async (of) => pathTo(of, await id(of)) }
}

type Query = NonNullable<Input['query']>

/** The pages of a list of templates, each as large as the server allows: a limit of 100 may be refused. */
export async function* templatePages(
  list: (query: Query) => Promise<Answer>,
  filters: Query,
): AsyncGenerator<readonly object[]> {
  let limit = 100
  for (let page = 1; page <= 1000; page++) {
    let answer = await list({ ...filters, page, limit })
    if (answer.status === 400 && page === 1) {
      limit = 10
      answer = await list({ ...filters, page, limit })
    }
    yield [answer.data].flat()
    if (answer.pagination.hasMore !== true) return
  }
}
