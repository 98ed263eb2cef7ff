import type { TemplateRecord } from '../../fixtures/records.ts'
import { inSteps } from '../../lib/pause.ts'
import type { Transaction } from '../core/transaction.ts'
import { approveTemplate, rejectTemplate } from '../rules/templates/template-approval.ts'
import { stepsOfTeam } from '../store/teams.ts'
import { type ControlContext, ignoreDeletedTeam } from './context.ts'
import { UnknownName, reject } from '../core/rejections.ts'
import { noun, route } from './route.ts'
import { input, OneTeam, optionalId, optionalText, output, text } from '../core/schemas.ts'

const TemplateDecided = output('TemplateDecided', {
  teamId: text(),
  templateId: text(),
  status: text(),
  reason: optionalText('Why it was rejected, if that was said.'),
})

const Rejection = input('Rejection', {
  reason: optionalText('Why the platform rejects it.', { minLength: 1, maxLength: 1000 }),
  teamId: optionalId(),
})

export const templates = noun('templates', 'What the messaging platform decides.', (context) => ({
  approveTemplate: route('POST /templates/:templateId/approve', 'Approve a WhatsApp template', {
    description: '`teamId` is needed only when several teams have a template of that id.',
    body: OneTeam,
    message: 'Template approved',
    data: TemplateDecided,
    handler: ({ params, body }) => decide(approveTemplate, params.templateId, body.teamId, context),
  }),

  rejectTemplate: route('POST /templates/:templateId/reject', 'Reject a WhatsApp template', {
    description: 'Its record keeps the reason, as `rejectionReason`. Answers of the service do not show it.',
    body: Rejection,
    example: { reason: 'The text names a competitor' },
    message: 'Template rejected',
    data: TemplateDecided,
    async handler({ params, body: { reason, teamId } }) {
      const decided = await decide((id, tx) => rejectTemplate(id, tx, reason), params.templateId, teamId, context)
      return reason === undefined ? decided : { ...decided, reason }
    },
  }),
}))

type Decision = (templateId: string, tx: Transaction) => Promise<TemplateRecord>

/** The platform knows a template by its id alone, so without a `teamId` this searches all teams. */
async function decide(decision: Decision, templateId: string, onlyTeamId: string | undefined, context: ControlContext) {
  const { store, teams } = context
  const owners: string[] = []
  for await (const { _id: teamId } of inSteps(await store.teams(), stepsOfTeam)) {
    if (onlyTeamId !== undefined && onlyTeamId !== teamId) continue
    const find = teams.read({ teamId }, ({ team }) => team.templates.get(templateId))
    if (await find.catch(ignoreDeletedTeam)) owners.push(teamId)
  }
  const [teamId, ...others] = owners
  if (teamId === undefined) throw new UnknownName('template', templateId)
  if (others.length > 0) reject('several teams have a template with that id; say which of them with teamId')
  const { status } = await teams.transaction({ teamId }, (tx) => decision(templateId, tx))
  return { teamId, templateId, status }
}
