import type { Answer } from '../client/answer.ts'
import { findApprovedTemplate, fromTemplate } from '../client/messages.ts'
import { byRefusal, CannotTell, requireThat } from './finding.ts'
import { type ProbeContext, timeTaken } from './probe.ts'

/** An approved WhatsApp template with parameters, of the team or a new one, and its text with these filled in. */
export async function approvedTemplate(context: ProbeContext) {
  const template = (await findApprovedTemplate(context, '{{1}}')) ?? (await makeApproved(context))
  return { ...fromTemplate(template), content: template.content.replaceAll(/\{\{\d+\}\}/g, '42') }
}

async function makeApproved(context: ProbeContext) {
  const isInTime = (await timeToApprove(context)) !== undefined
  requireThat(isInTime, 'needs an approved WhatsApp template of the team with a placeholder: --whatsapp-template')
  const { _id } = await context.make.template('whatsapp')
  await context.timeUntil(() => isApproved(context, _id))
  return (await context.ask('getTemplate', { path: { templateId: _id } })).data
}

/** Sends an unapproved template. If the server approves it meanwhile, sends another one, up to four times. */
export async function sendUnapproved(
  context: ProbeContext,
  send: (fields: object) => Promise<Answer>,
): Promise<'refused' | 'accepted'> {
  const [to, bodyParameters] = [context.recipient.phone(), [{ type: 'text', text: '42' }]]
  for (let tries = 1; tries <= 4; tries++) {
    const { _id: templateId } = await context.make.template('whatsapp')
    if (await isApproved(context, templateId)) continue
    const answer = await send({ to, templateId, bodyParameters })
    if (!answer.succeeded || !(await isApproved(context, templateId))) return byRefusal(answer, 'refused', 'accepted')
  }
  throw new CannotTell('a new WhatsApp template is approved before it is sent (whatsappApproval)')
}

/** How long the approval of a new WhatsApp template takes, measured once in a run; undefined without an approval. */
export const timeToApprove = (context: ProbeContext): Promise<number | undefined> =>
  context.once('the approval of a WhatsApp template', () => timeOfApproval(context))

/** How long the approval of one more template takes. */
export const timeOfApproval = (context: ProbeContext): Promise<number | undefined> =>
  timeTaken(context, async () => {
    const { _id } = await context.make.template('whatsapp')
    return () => isApproved(context, _id)
  })

export const isApproved = async ({ ask }: ProbeContext, templateId: string) =>
  (await ask('getTemplate', { path: { templateId } })).data.status === 'approved'
