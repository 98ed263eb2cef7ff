import type { TemplateRecord } from '../../fixtures/records.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice, Choice } from '../../spec/assumptions.ts'
import { templateStatuses } from '../../spec/forms.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Clock } from '../clock.ts'
import { NotFound, refuse } from '../replies.ts'
import type { Team } from '../team.ts'
import { countOf, ofAll, type Wanted } from './template-visibility.ts'

/** How far a template is on its way through the platform. */
type Progress = Pick<TemplateRecord, 'status' | 'approveAt'>

/**
 * promise template.smsStartsApproved, template.emailStartsApproved: those are approved as soon as they are created.
 * promise template.whatsappStartsPending: one for WhatsApp waits for the platform; for how long is not documented.
 */
export function progressOfNew(type: Schemas['TemplateType'], clock: Clock, assumed: Assumed): Progress {
  return type === 'whatsapp' ? submitted[assumed.whatsappApproval](clock, assumed) : { status: 'approved' }
}

const submitted: ByChoice<'whatsappApproval', (clock: Clock, assumed: Assumed) => Progress> = {
  byControl: () => ({ status: 'pending' }),
  atOnce: () => ({ status: 'approved' }),
  afterDelay: (clock, assumed) => ({
    status: 'pending',
    approveAt: new Date(clock.now() + assumed.amountOf('whatsappApproval')).toISOString(),
  }),
  never: () => ({ status: 'pending' }),
}

/** What an update changes in it. One that is pending goes on waiting. */
export function progressAfterUpdate(template: TemplateRecord, clock: Clock, assumed: Assumed): Partial<Progress> {
  if (template.templateType !== 'whatsapp' || template.status === 'pending') return {}
  return afterUpdate[assumed.whatsappAfterUpdate](clock, assumed)
}

const afterUpdate: ByChoice<'whatsappAfterUpdate', (clock: Clock, assumed: Assumed) => Partial<Progress>> = {
  unchanged: () => ({}),
  pendingAgain: (clock, assumed) => progressOfNew('whatsapp', clock, assumed),
}

/** Whoever shows the status of a WhatsApp template relies on who moves it on. */
export function relyOnApproval({ templateType }: TemplateRecord, assumed: Assumed): WhoApproves | undefined {
  return templateType === 'whatsapp' ? assumed.whatsappApproval : undefined
}

type WhoApproves = Choice<'whatsappApproval'>

/** So does who lists by status: one that is pending is not among the approved. */
export async function relyOnApprovalOfListed(
  { types }: Wanted,
  team: Team,
  assumed: Assumed,
): Promise<WhoApproves | undefined> {
  const whatsapp = ofAll({ types: ['whatsapp'], statuses: templateStatuses })
  return types.includes('whatsapp') && (await countOf(whatsapp, team)) > 0 ? assumed.whatsappApproval : undefined
}

/** The platform's word, by whoever plays the platform. */
export function approveTemplate(team: Team, id: string, assumed: Assumed): Promise<TemplateRecord> {
  return judged(team, id, 'approved', assumed)
}

export function rejectTemplate(team: Team, id: string, assumed: Assumed): Promise<TemplateRecord> {
  return judged(team, id, 'rejected', assumed)
}

/** The platform's word on all whose time has come. When the next one's comes, if any is still waiting. */
export async function approveDueTemplates(team: Team, clock: Clock): Promise<number | undefined> {
  const now = clock.now()
  let next: number | undefined
  for (const template of await team.templates.find('awaitingApproval', 'awaiting')) {
    const at = Date.parse(template.approveAt ?? '')
    if (at > now) next = Math.min(at, next ?? at)
    else await moveOn(team, template, 'approved')
  }
  return next
}

async function judged(team: Team, id: string, status: Progress['status'], assumed: Assumed): Promise<TemplateRecord> {
  const template = await team.templates.get(id)
  if (!template) throw new NotFound()
  if (template.templateType !== 'whatsapp') refuse('only a WhatsApp template is approved or rejected by the platform')
  byControl[assumed.whatsappApproval]()
  return moveOn(team, template, status)
}

const byControl: ByChoice<'whatsappApproval', () => void> = {
  byControl: () => undefined,
  atOnce: () => undefined,
  afterDelay: () => undefined,
  never: () => refuse('with whatsappApproval=never a WhatsApp template stays pending'),
}

function moveOn(team: Team, template: TemplateRecord, status: Progress['status']): Promise<TemplateRecord> {
  const { approveAt, ...decided } = template
  return team.templates.replace(template, { ...decided, status })
}
