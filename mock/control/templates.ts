import type { TemplateRecord } from '../../fixtures/records.ts'
import { NotFound, refuse } from '../core/refusals.ts'
import { ok } from '../core/replies.ts'
import type { Teams } from '../core/teams.ts'
import type { Turn } from '../core/turn.ts'
import { approveTemplate, rejectTemplate } from '../rules/templates/template-approval.ts'
import type { Store } from '../store/store.ts'
import { fields, id, optional } from './body-reader.ts'
import type { Asked, Controls, ControlRoute } from './route.ts'

const ofTeam = fields({ teamId: optional(id) })

export const templates: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/templates/:templateId/approve',
    answer: async (controls, asked) => ok('Template approved', await decide(controls, asked, approveTemplate)),
  },
  {
    method: 'POST',
    path: '/templates/:templateId/reject',
    answer: async (controls, asked) => ok('Template rejected', await decide(controls, asked, rejectTemplate)),
  },
]

type Decision = (templateId: string, turn: Turn) => Promise<TemplateRecord>

/** The platform knows a template by its id alone, so it is looked up in each team; each look is one look into a map. */
async function decide({ store, teams }: Controls, { path, body }: Asked, decision: Decision) {
  const { templateId = '' } = path
  const [teamId, ...others] = await ownersOf(templateId, ofTeam(body).teamId, store, teams)
  if (teamId === undefined) throw new NotFound()
  if (others.length > 0) refuse('several teams have a template of that id; name one of them as teamId')
  const { status } = await teams.turn({ teamId }, (turn) => decision(templateId, turn))
  return { teamId, templateId, status }
}

async function ownersOf(templateId: string, named: string | undefined, store: Store, teams: Teams): Promise<string[]> {
  const owners: string[] = []
  for (const { _id: teamId } of await store.teams()) {
    if (named !== undefined && named !== teamId) continue
    if (await teams.turn({ teamId }, ({ team }) => team.templates.get(templateId))) owners.push(teamId)
  }
  return owners
}
