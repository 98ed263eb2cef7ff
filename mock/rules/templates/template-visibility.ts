import { type Awaitable, bothOf } from '../../../lib/async.ts'
import type { TemplateRecord } from '../../../fixtures/records.ts'
import { NotFound } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Page, Part } from '../../store/port.ts'
import { type IndexOf, madeByKey, ownerTypeAndStatus, typeAndStatus } from '../../store/indexes.ts'
import { document, fieldsOf } from '../../../spec/document.ts'
import type { Schemas } from '../../../spec/types.ts'

export interface TemplateFilter {
  readonly types: readonly string[]
  readonly statuses: readonly string[]
}

/** Templates as the store finds them: an index, and the values to read from it. */
interface Selection {
  readonly index: IndexOf<'templates'>
  readonly values: readonly string[]
}

/**
 * promise access.agentsListTheirOwnTemplates: an agent gets their own templates, and no template of anyone else.
 * promise access.adminsListAllTemplates: an admin gets all templates of the team.
 */
export async function readVisible(filter: TemplateFilter, part: Part, tx: Transaction): Promise<Page<TemplateRecord>> {
  const { user } = tx.caller
  const read = ({ index, values }: Selection) => tx.team.templates.page(index, values, part)
  const all = selectAll(filter)
  if (user?.role === 'admin') return read(all)
  const madeByKeys = selectOwnedBy(madeByKey, filter)
  if (user) return read(await selectForAgent(selectOwnedBy(user.id, filter), madeByKeys, tx))
  const [page, ofKeys] = await bothOf(read(all), countSelected(madeByKeys, tx))
  // The role of a key makes a difference only when there are templates that no key has made.
  return page.total > ofKeys && tx.assumed.roleOfKey === 'agent' ? read(madeByKeys) : page
}

async function selectForAgent(own: Selection, madeByKeys: Selection, tx: Transaction): Promise<Selection> {
  const isShared = (await countSelected(madeByKeys, tx)) > 0 && tx.assumed.keyMadeTemplates === 'shownToAgents'
  return isShared ? { ...own, values: [...own.values, ...madeByKeys.values] } : own
}

/** The specification scopes only the list, and not a template that is read by its id. */
export function checkMayGet(template: TemplateRecord, tx: Transaction): void {
  if (!isInListOfCaller(template, tx)) hideIf('templatesOfAgents', tx)
}

export function checkMayChange(template: TemplateRecord, tx: Transaction): void {
  if (!isInListOfCaller(template, tx)) hideIf('templateChangesByAgent', tx)
}

/** For a user only: what a key sends, the whole team may send. */
export function checkMaySend(template: TemplateRecord, tx: Transaction): void {
  if (tx.caller.user && !isInListOfCaller(template, tx)) hideIf('templateSendsByAgent', tx)
}

type Scope = 'templatesOfAgents' | 'templateChangesByAgent' | 'templateSendsByAgent'

function hideIf(assumption: Scope, { assumed }: Transaction): void {
  if (assumed[assumption] === 'notFound') throw new NotFound({ assumption })
}

export function countSelected({ index, values }: Selection, { team }: Transaction): Awaitable<number> {
  return team.templates.count(index, values)
}

export const selectAll = (filter: TemplateFilter): Selection => ({
  index: 'typeAndStatus',
  values: combine(filter, typeAndStatus),
})

const selectOwnedBy = (owner: string, filter: TemplateFilter): Selection => ({
  index: 'ownerTypeAndStatus',
  values: combine(filter, (type, status) => ownerTypeAndStatus(owner, type, status)),
})

function combine({ types, statuses }: TemplateFilter, valueOf: (type: string, status: string) => string): string[] {
  // Each once: a query may repeat both hundreds of times.
  const [differentTypes, differentStatuses] = [[...new Set(types)], [...new Set(statuses)]]
  return differentTypes.flatMap((type) => differentStatuses.map((status) => valueOf(type, status)))
}

function isInListOfCaller({ ownerId }: TemplateRecord, { caller: { user }, assumed }: Transaction): boolean {
  if (user?.role === 'admin' || ownerId === user?.id) return true
  if (!user) return assumed.roleOfKey === 'admin'
  return ownerId === undefined && assumed.keyMadeTemplates === 'shownToAgents'
}

type Template = Schemas['Template']

/**
 * promise template.getShowsTheTemplate: a template shows the documented fields of its creation. The specification
 * does not say whether a response shows other fields of the request.
 */
export function showTemplate(template: TemplateRecord, { assumed }: Transaction): Template {
  const isAllDocumented = Object.keys(template).every((field) => documentedFields.has(field) || isInternal(field))
  if (isAllDocumented || assumed.templateFields === 'onlyShown') return pick(template, documentedFields)
  const { ownerId, approveAt, rejectionReason, ...sent } = template
  return sent
}

const documentedFields = new Set(fieldsOf(document, { $ref: '#/components/schemas/Template' }))

const internalFields = ['ownerId', 'approveAt', 'rejectionReason'] as const satisfies (keyof TemplateRecord)[]
const isInternal = (field: string) => internalFields.some((internal) => internal === field)

/**
 * promise template.createAnswersWithTheTemplate: creating a template answers with an id, a status, and its type and name.
 * promise template.createAnswersWithTheSubject: creating an e-mail template answers with the subject too.
 */
export function showCreatedTemplate({ _id, templateType, name, status, subject }: TemplateRecord) {
  const hasSubject = templateType === 'email' && subject !== undefined
  return { _id, templateType, name, status, ...(hasSubject ? { subject } : {}) }
}

/**
 * promise template.updateAnswersWithTheChange: the answer to an update shows the fields that were changed. The
 * specification does not say whether it shows the others.
 */
export function showUpdatedTemplate(
  template: TemplateRecord,
  sent: object,
  tx: Transaction,
): Schemas['TemplateUpdated'] {
  const shown = { ...showTemplate(template, tx), ...pick(template, new Set(Object.keys(sent))) }
  return tx.assumed.templateAfterUpdate === 'wholeTemplate'
    ? shown
    : pick(shown, new Set(['_id', ...Object.keys(sent)]))
}

function pick<R extends object>(record: R, fields: ReadonlySet<string>): R {
  const picked: Partial<R> = {}
  for (const field of Object.keys(record) as (keyof R & string)[]) {
    if (fields.has(field)) picked[field] = record[field]
  }
  return picked as R
}
