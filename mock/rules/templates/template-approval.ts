import type { Awaitable } from '../../../lib/async.ts'
import type { TemplateRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Media } from '../../core/operation.ts'
import { NotFound } from '../../core/refusals.ts'
import { reject } from '../../core/rejections.ts'
import type { Transaction } from '../../core/transaction.ts'
import { refuseIf } from '../refuse.ts'

type Decision = Pick<TemplateRecord, 'status' | 'rejectionReason'>
type Approval = Pick<TemplateRecord, 'status' | 'approveAt'>

/**
 * promise template.smsStartsApproved, template.emailStartsApproved: an SMS or e-mail template is approved as soon as it is
 * created.
 * promise template.whatsappStartsPending: a WhatsApp template is pending when it is created. The specification does not
 * say when the platform approves it.
 */
export function startApproval(type: Schemas['TemplateType'], tx: Transaction): Approval {
  return type === 'whatsapp' ? whatsappApproval[tx.assumed.whatsappApproval](tx) : { status: 'approved' }
}

const whatsappApproval: ByChoice<'whatsappApproval', (tx: Transaction) => Approval> = {
  byControl: () => ({ status: 'pending' }),
  atOnce: () => ({ status: 'approved' }),
  afterDelay: (tx) => {
    const at = tx.clock.now() + tx.assumed.amountOf('whatsappApproval')
    tx.scheduleAt(at)
    return { status: 'pending', approveAt: new Date(at).toISOString() }
  },
  never: () => ({ status: 'pending' }),
}

/** Returns the changes of the approval that an update makes. A pending template stays pending. */
export function restartApproval(
  template: TemplateRecord,
  fields: Partial<TemplateRecord>,
  media: Media | undefined,
  tx: Transaction,
): Partial<Approval> {
  if (template.templateType !== 'whatsapp' || template.status === 'pending') return {}
  const isReviewed = reviewed.some((field) => fields[field] !== undefined && fields[field] !== template[field])
  if (!isReviewed && media === undefined) return {}
  return tx.assumed.whatsappAfterUpdate === 'pendingAgain' ? startApproval('whatsapp', tx) : {}
}

/** The fields that the platform reviews. It does not know the display name. */
const reviewed = ['content', 'category', 'language'] as const

export function approveTemplate(id: string, tx: Transaction): Promise<TemplateRecord> {
  return decide(id, { status: 'approved' }, tx)
}

export function rejectTemplate(id: string, tx: Transaction, reason?: string): Promise<TemplateRecord> {
  return decide(id, { status: 'rejected', ...(reason === undefined ? {} : { rejectionReason: reason }) }, tx)
}

async function decide(id: string, decision: Decision, tx: Transaction): Promise<TemplateRecord> {
  const template = await tx.team.templates.get(id)
  if (!template) throw new NotFound({ limit: 'controlPlane' })
  if (template.templateType !== 'whatsapp') reject('only a WhatsApp template is approved or rejected by the platform')
  const sentence = 'with whatsappApproval=never a WhatsApp template stays pending'
  refuseIf(tx.assumed, 'whatsappApproval', 'never', sentence)
  return setDecision(template, decision, tx)
}

/** Approves all templates with a delay that has passed. Returns the time of the next approval, if any. */
export async function approveDueTemplates(tx: Transaction): Promise<number | undefined> {
  const now = tx.clock.now()
  let next: number | undefined
  for (const template of await tx.team.templates.find('awaitingApproval', 'awaiting')) {
    const at = Date.parse(template.approveAt ?? '')
    if (at > now) next = Math.min(at, next ?? at)
    else await setDecision(template, { status: 'approved' }, tx)
  }
  return next
}

function setDecision(template: TemplateRecord, decision: Decision, { team }: Transaction): Awaitable<TemplateRecord> {
  const { approveAt, rejectionReason, ...others } = template
  return team.templates.replace(template, { ...others, ...decision })
}
