import type { TemplateRecord } from '../../fixtures/records.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Caller } from '../caller.ts'
import { NotFound } from '../replies.ts'
import { type IndexOf, madeByKey, ownerTypeAndStatus, typeAndStatus } from '../store/indexes.ts'
import type { Team } from '../team.ts'

// promise access.agentsListTheirOwnTemplates: an agent gets no template of anyone else.
// promise access.adminsListAllTemplates: an admin also gets those that other people of the team made.

/** The types and statuses that are asked for. */
export interface Wanted {
  readonly types: readonly string[]
  readonly statuses: readonly string[]
}

/** Where templates are filed that a caller may list. */
export interface Filed {
  readonly index: IndexOf<'templates'>
  readonly values: readonly string[]
}

export async function templatesFor(caller: Caller, wanted: Wanted, team: Team, assumed: Assumed): Promise<Filed> {
  const { user } = caller
  const all = ofAll(wanted)
  if (user?.role === 'admin') return all
  const keyMade = ofOwner(madeByKey, wanted)
  if (user) return forAgent(ofOwner(user.id, wanted), keyMade, team, assumed)
  const madeByOthers = (await countOf(all, team)) > (await countOf(keyMade, team))
  return madeByOthers && !keySeesAll[assumed.roleOfKey] ? keyMade : all
}

async function forAgent(own: Filed, keyMade: Filed, team: Team, assumed: Assumed): Promise<Filed> {
  const shared = (await countOf(keyMade, team)) > 0 && agentsSeeKeyMade[assumed.keyMadeTemplates]
  return shared ? { ...own, values: [...own.values, ...keyMade.values] } : own
}

/** To get the template of another, when only the list is said to be scoped. */
export function checkMayGet(template: TemplateRecord, caller: Caller, assumed: Assumed): void {
  if (!isAmongTheirs(template, caller, assumed)) templatesOfAgents[assumed.templatesOfAgents]()
}

export function checkMayChange(template: TemplateRecord, caller: Caller, assumed: Assumed): void {
  if (!isAmongTheirs(template, caller, assumed)) templateChangesByAgent[assumed.templateChangesByAgent]()
}

/** How many templates are filed there. */
export async function countOf({ index, values }: Filed, team: Team): Promise<number> {
  const { total } = await team.templates.page(index, values, { skip: 0, take: 0, order: 'oldestFirst' })
  return total
}

export const ofAll = (wanted: Wanted): Filed => ({
  index: 'typeAndStatus',
  values: valuesOf(wanted, typeAndStatus),
})

const ofOwner = (owner: string, wanted: Wanted): Filed => ({
  index: 'ownerTypeAndStatus',
  values: valuesOf(wanted, (type, status) => ownerTypeAndStatus(owner, type, status)),
})

function valuesOf({ types, statuses }: Wanted, valueOf: (type: string, status: string) => string): string[] {
  return types.flatMap((type) => statuses.map((status) => valueOf(type, status)))
}

function isAmongTheirs({ ownerId }: TemplateRecord, { user }: Caller, assumed: Assumed): boolean {
  if (user?.role === 'admin' || ownerId === user?.id) return true
  if (!user) return keySeesAll[assumed.roleOfKey]
  return ownerId === undefined && agentsSeeKeyMade[assumed.keyMadeTemplates]
}

const keySeesAll: ByChoice<'roleOfKey', boolean> = { admin: true, agent: false }

const agentsSeeKeyMade: ByChoice<'keyMadeTemplates', boolean> = { hiddenFromAgents: false, shownToAgents: true }

const templatesOfAgents: ByChoice<'templatesOfAgents', () => void> = {
  notFound: () => {
    throw new NotFound()
  },
  shown: () => undefined,
}

const templateChangesByAgent: ByChoice<'templateChangesByAgent', () => void> = {
  notFound: () => {
    throw new NotFound()
  },
  allowed: () => undefined,
}
