import type { TemplatesControl } from '../../control/templates.ts'
import type { TemplateRecord } from '../../fixtures/records.ts'
import { NotFound, refuse } from './refusals.ts'
import type { Turn } from '../core/turn.ts'
import { approveTemplate, rejectTemplate } from '../rules/templates/template-approval.ts'
import { checkBody, checkNames } from './check.ts'
import type { ControlContext } from './context.ts'
import { nothingOfDeleted } from './turn-of-team.ts'

export function templatesIn(context: ControlContext): TemplatesControl {
  return {
    async approve(templateId, owner = {}) {
      checkBody('approveTemplate', owner)
      return decide(approveTemplate, templateId, owner.teamId, context)
    },

    async reject(templateId, rejection = {}) {
      checkBody('rejectTemplate', rejection)
      const { reason, teamId } = rejection
      const decided = await decide((id, turn) => rejectTemplate(id, turn, reason), templateId, teamId, context)
      return reason === undefined ? decided : { ...decided, reason }
    },
  }
}

type Decision = (templateId: string, turn: Turn) => Promise<TemplateRecord>

async function decide(decision: Decision, templateId: string, onlyTeamId: string | undefined, context: ControlContext) {
  checkNames(templateId)
  const [teamId, ...others] = await findOwners(templateId, onlyTeamId, context)
  if (teamId === undefined) throw new NotFound()
  if (others.length > 0) refuse('several teams have a template with that id; say which of them with teamId')
  const { status } = await context.teams.turn({ teamId }, (turn) => decision(templateId, turn))
  return { teamId, templateId, status }
}

/** The teams that have the template: the platform knows it by its id alone. */
async function findOwners(
  templateId: string,
  onlyTeamId: string | undefined,
  { store, teams }: ControlContext,
): Promise<string[]> {
  const owners: string[] = []
  for (const { _id: teamId } of await store.teams()) {
    if (onlyTeamId !== undefined && onlyTeamId !== teamId) continue
    const find = teams.turn({ teamId }, ({ team }) => team.templates.get(templateId))
    if (await find.catch(nothingOfDeleted)) owners.push(teamId)
  }
  return owners
}
