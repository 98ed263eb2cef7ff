import type { Assumed } from '../../spec/assumed.ts'
import type { TemplateRecord } from '../../fixtures/records.ts'
import { NotFound, ok, refuse } from '../replies.ts'
import { approveTemplate, rejectTemplate } from '../rules/template-approval.ts'
import type { Store } from '../store/port.ts'
import { Team } from '../team.ts'
import { fields, id, optional } from './fields.ts'
import type { Asked, Controls, ControlRoute } from './route.ts'

const ofTeam = fields({ teamId: optional(id) })

export const templates: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/templates/:templateId/approve',
    answer: async (controls, asked) => ok('Template approved', await judged(controls, asked, approveTemplate)),
  },
  {
    method: 'POST',
    path: '/templates/:templateId/reject',
    answer: async (controls, asked) => ok('Template rejected', await judged(controls, asked, rejectTemplate)),
  },
]

type Judge = (team: Team, templateId: string, assumed: Assumed) => Promise<TemplateRecord>

/** The platform knows a template by its id alone, so it is looked up in each team; that is one look into a map. */
async function judged({ store, clock, ids, newAssumed }: Controls, { path, body }: Asked, judge: Judge) {
  const { templateId = '' } = path
  const [teamId, ...others] = await ownersOf(templateId, ofTeam(body).teamId, store)
  if (teamId === undefined) throw new NotFound()
  if (others.length > 0) refuse('several teams have a template of that id; name one of them as teamId')
  const { status } = await store.turn(teamId, ({ records, onFile }) =>
    judge(new Team(onFile, records, clock, ids), templateId, newAssumed()),
  )
  return { teamId, templateId, status }
}

async function ownersOf(templateId: string, named: string | undefined, store: Store): Promise<string[]> {
  const owners: string[] = []
  for (const { _id } of await store.teams()) {
    if (named !== undefined && named !== _id) continue
    if (await store.read(_id, ({ records }) => records.templates.get(templateId))) owners.push(_id)
  }
  return owners
}
