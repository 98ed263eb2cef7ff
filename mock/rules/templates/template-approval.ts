import type { TemplateRecord } from '../../../fixtures/records.ts'
import type { ByChoice, Choice } from '../../../spec/assumptions.ts'
import { templateStatuses } from '../../../spec/forms.ts'
import type { Schemas } from '../../../spec/types.ts'
import { NotFound, refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { countOf, ofAll, type Wanted } from './template-visibility.ts'

/** How far a template is on its way through the platform. */
type Progress = Pick<TemplateRecord, 'status' | 'approveAt'>

/**
 * promise template.smsStartsApproved, template.emailStartsApproved: those are approved as soon as they are created.
 * promise template.whatsappStartsPending: one for WhatsApp waits for the platform; for how long is not documented.
 */
export function progressOfNew(type: Schemas['TemplateType'], turn: Turn): Progress {
  return type === 'whatsapp' ? submitted[turn.assumed.whatsappApproval](turn) : { status: 'approved' }
}

const submitted: ByChoice<'whatsappApproval', (turn: Turn) => Progress> = {
  byControl: () => ({ status: 'pending' }),
  atOnce: () => ({ status: 'approved' }),
  afterDelay: ({ clock, assumed, later }) => {
    const at = clock.now() + assumed.amountOf('whatsappApproval')
    later(at)
    return { status: 'pending', approveAt: new Date(at).toISOString() }
  },
  never: () => ({ status: 'pending' }),
}

/** What an update changes in it. One that is pending goes on waiting. */
export function progressAfterUpdate(template: TemplateRecord, turn: Turn): Partial<Progress> {
  if (template.templateType !== 'whatsapp' || template.status === 'pending') return {}
  return afterUpdate[turn.assumed.whatsappAfterUpdate](turn)
}

const afterUpdate: ByChoice<'whatsappAfterUpdate', (turn: Turn) => Partial<Progress>> = {
  unchanged: () => ({}),
  pendingAgain: (turn) => progressOfNew('whatsapp', turn),
}

/** Whoever shows the status of a WhatsApp template relies on who moves it on. */
export function relyOnApproval({ templateType }: TemplateRecord, { assumed }: Turn): WhoApproves | undefined {
  return templateType === 'whatsapp' ? assumed.whatsappApproval : undefined
}

type WhoApproves = Choice<'whatsappApproval'>

/** So does who lists by status: one that is pending is not among the approved. */
export async function relyOnApprovalOfListed({ types }: Wanted, turn: Turn): Promise<WhoApproves | undefined> {
  const whatsapp = ofAll({ types: ['whatsapp'], statuses: templateStatuses })
  return types.includes('whatsapp') && (await countOf(whatsapp, turn)) > 0 ? turn.assumed.whatsappApproval : undefined
}

/** The platform's word, by whoever plays the platform. */
export function approveTemplate(id: string, turn: Turn): Promise<TemplateRecord> {
  return judged(id, 'approved', turn)
}

export function rejectTemplate(id: string, turn: Turn): Promise<TemplateRecord> {
  return judged(id, 'rejected', turn)
}

/** The platform's word on all whose time has come. When the next one's comes, if any is still waiting. */
export async function approveDueTemplates(turn: Turn): Promise<number | undefined> {
  const now = turn.clock.now()
  let next: number | undefined
  for (const template of await turn.team.templates.find('awaitingApproval', 'awaiting')) {
    const at = Date.parse(template.approveAt ?? '')
    if (at > now) next = Math.min(at, next ?? at)
    else await moveOn(template, 'approved', turn)
  }
  return next
}

async function judged(id: string, status: Progress['status'], turn: Turn): Promise<TemplateRecord> {
  const template = await turn.team.templates.get(id)
  if (!template) throw new NotFound()
  if (template.templateType !== 'whatsapp') refuse('only a WhatsApp template is approved or rejected by the platform')
  byControl[turn.assumed.whatsappApproval]()
  return moveOn(template, status, turn)
}

const byControl: ByChoice<'whatsappApproval', () => void> = {
  byControl: () => undefined,
  atOnce: () => undefined,
  afterDelay: () => undefined,
  never: () => refuse('with whatsappApproval=never a WhatsApp template stays pending'),
}

function moveOn(template: TemplateRecord, status: Progress['status'], { team }: Turn): Promise<TemplateRecord> {
  const { approveAt, ...decided } = template
  return team.templates.replace(template, { ...decided, status })
}
