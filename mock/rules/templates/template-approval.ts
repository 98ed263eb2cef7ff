import type { TemplateRecord } from '../../../fixtures/records.ts'
import type { ByChoice, Choice } from '../../../spec/assumptions.ts'
import { templateStatuses } from '../../../spec/forms.ts'
import type { Schemas } from '../../../spec/types.ts'
import { NotFound, refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { countSelected, selectAll, type TemplateFilter } from './template-visibility.ts'

type Decision = Pick<TemplateRecord, 'status' | 'rejectionReason'>
type Approval = Pick<TemplateRecord, 'status' | 'approveAt'>

/**
 * promise template.smsStartsApproved, template.emailStartsApproved: an SMS or e-mail template is approved as soon as it is
 * created.
 * promise template.whatsappStartsPending: a WhatsApp template is pending when it is created. The specification does not
 * say when the platform approves it.
 */
export function startApproval(type: Schemas['TemplateType'], turn: Turn): Approval {
  return type === 'whatsapp' ? whatsappApproval[turn.assumed.whatsappApproval](turn) : { status: 'approved' }
}

const whatsappApproval: ByChoice<'whatsappApproval', (turn: Turn) => Approval> = {
  byControl: () => ({ status: 'pending' }),
  atOnce: () => ({ status: 'approved' }),
  afterDelay: ({ clock, assumed, later }) => {
    const at = clock.now() + assumed.amountOf('whatsappApproval')
    later(at)
    return { status: 'pending', approveAt: new Date(at).toISOString() }
  },
  never: () => ({ status: 'pending' }),
}

/** What an update changes of the approval. A pending template keeps waiting. */
export function restartApproval(template: TemplateRecord, turn: Turn): Partial<Approval> {
  if (template.templateType !== 'whatsapp' || template.status === 'pending') return {}
  return whatsappAfterUpdate[turn.assumed.whatsappAfterUpdate](turn)
}

const whatsappAfterUpdate: ByChoice<'whatsappAfterUpdate', (turn: Turn) => Partial<Approval>> = {
  unchanged: () => ({}),
  pendingAgain: (turn) => startApproval('whatsapp', turn),
}

/** Marks an answer that shows the status of a WhatsApp template, which depends on how it is approved. */
export function relyOnApproval({ templateType }: TemplateRecord, { assumed }: Turn): ApprovalChoice | undefined {
  return templateType === 'whatsapp' ? assumed.whatsappApproval : undefined
}

type ApprovalChoice = Choice<'whatsappApproval'>

/** Marks a list that WhatsApp templates may be missing from, because of their status. */
export async function relyOnApprovalInList({ types }: TemplateFilter, turn: Turn): Promise<ApprovalChoice | undefined> {
  if (!types.includes('whatsapp')) return undefined
  const whatsapp = selectAll({ types: ['whatsapp'], statuses: templateStatuses })
  return (await countSelected(whatsapp, turn)) > 0 ? turn.assumed.whatsappApproval : undefined
}

export function approveTemplate(id: string, turn: Turn): Promise<TemplateRecord> {
  return decide(id, { status: 'approved' }, turn)
}

export function rejectTemplate(id: string, turn: Turn, reason?: string): Promise<TemplateRecord> {
  return decide(id, { status: 'rejected', ...(reason === undefined ? {} : { rejectionReason: reason }) }, turn)
}

async function decide(id: string, decision: Decision, turn: Turn): Promise<TemplateRecord> {
  const template = await turn.team.templates.get(id)
  if (!template) throw new NotFound({ limit: 'controlPlane' })
  if (template.templateType !== 'whatsapp')
    refuse('only a WhatsApp template is approved or rejected by the platform', { limit: 'controlPlane' })
  checkMayDecide[turn.assumed.whatsappApproval]()
  return setDecision(template, decision, turn)
}

const checkMayDecide: ByChoice<'whatsappApproval', () => void> = {
  byControl: () => undefined,
  atOnce: () => undefined,
  afterDelay: () => undefined,
  never: () =>
    refuse('with whatsappApproval=never a WhatsApp template stays pending', { assumption: 'whatsappApproval' }),
}

/** Approves every template whose delay is over. Returns when the next one is due, if any is waiting. */
export async function approveDueTemplates(turn: Turn): Promise<number | undefined> {
  const now = turn.clock.now()
  let next: number | undefined
  for (const template of await turn.team.templates.find('awaitingApproval', 'awaiting')) {
    const at = Date.parse(template.approveAt ?? '')
    if (at > now) next = Math.min(at, next ?? at)
    else await setDecision(template, { status: 'approved' }, turn)
  }
  return next
}

function setDecision(template: TemplateRecord, decision: Decision, { team }: Turn): Promise<TemplateRecord> {
  const { approveAt, rejectionReason, ...others } = template
  return team.templates.replace(template, { ...others, ...decision })
}
