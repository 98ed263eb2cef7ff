import type { TemplateRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import { NotFound } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { type IndexOf, madeByKey, ownerTypeAndStatus, typeAndStatus } from '../../store/indexes.ts'

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

export async function templatesFor(wanted: Wanted, turn: Turn): Promise<Filed> {
  const { user } = turn.caller
  const all = ofAll(wanted)
  if (user?.role === 'admin') return all
  const keyMade = ofOwner(madeByKey, wanted)
  if (user) return forAgent(ofOwner(user.id, wanted), keyMade, turn)
  const madeByOthers = (await countOf(all, turn)) > (await countOf(keyMade, turn))
  return madeByOthers && !keySeesAll[turn.assumed.roleOfKey] ? keyMade : all
}

async function forAgent(own: Filed, keyMade: Filed, turn: Turn): Promise<Filed> {
  const shared = (await countOf(keyMade, turn)) > 0 && agentsSeeKeyMade[turn.assumed.keyMadeTemplates]
  return shared ? { ...own, values: [...own.values, ...keyMade.values] } : own
}

/** To get the template of another, when only the list is said to be scoped. */
export function checkMayGet(template: TemplateRecord, turn: Turn): void {
  if (!isAmongTheirs(template, turn)) templatesOfAgents[turn.assumed.templatesOfAgents]()
}

export function checkMayChange(template: TemplateRecord, turn: Turn): void {
  if (!isAmongTheirs(template, turn)) templateChangesByAgent[turn.assumed.templateChangesByAgent]()
}

/** How many templates are filed there. */
export async function countOf({ index, values }: Filed, { team }: Turn): Promise<number> {
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

function isAmongTheirs({ ownerId }: TemplateRecord, { caller: { user }, assumed }: Turn): boolean {
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
