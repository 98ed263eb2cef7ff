import type { TemplateRecord } from '../../fixtures/records.ts'
import { NotFound, refuse } from './refusals.ts'
import { ok } from '../core/replies.ts'
import type { Teams } from '../core/teams.ts'
import type { Turn } from '../core/turn.ts'
import { approveTemplate, rejectTemplate } from '../rules/templates/template-approval.ts'
import type { Store } from '../store/port.ts'
import { readTeamId } from './body-reader.ts'
import type { ControlContext, ControlRequest, ControlRoute } from './route.ts'

export const templates: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/templates/:templateId/approve',
    answer: async (context, request) => ok('Template approved', await decide(approveTemplate, context, request)),
  },
  {
    method: 'POST',
    path: '/templates/:templateId/reject',
    answer: async (context, request) => ok('Template rejected', await decide(rejectTemplate, context, request)),
  },
]

type Decision = (templateId: string, turn: Turn) => Promise<TemplateRecord>

async function decide(decision: Decision, { store, teams }: ControlContext, { path, body }: ControlRequest) {
  const { templateId = '' } = path
  const [teamId, ...others] = await findOwners(templateId, readTeamId(body).teamId, store, teams)
  if (teamId === undefined) throw new NotFound()
  if (others.length > 0) refuse('several teams have a template with that id; say which of them with teamId')
  const { status } = await teams.turn({ teamId }, (turn) => decision(templateId, turn))
  return { teamId, templateId, status }
}

/** The teams that have the template: the platform knows it by its id alone. */
async function findOwners(
  templateId: string,
  onlyTeamId: string | undefined,
  store: Store,
  teams: Teams,
): Promise<string[]> {
  const owners: string[] = []
  for (const { _id: teamId } of await store.teams()) {
    if (onlyTeamId !== undefined && onlyTeamId !== teamId) continue
    if (await teams.turn({ teamId }, ({ team }) => team.templates.get(templateId))) owners.push(teamId)
  }
  return owners
}
