import type { ControlData } from '../../mock/control/client.ts'
import type { Column } from '../ui/table.tsx'

type Rule = ControlData<'listFaults'>[number] | ControlData<'listGates'>[number]

/** A rule without a team applies to every team. */
export const isOfTeam = (shown: string) => (rule: Rule) => rule.team === undefined || rule.team === shown

/** Which requests a fault or a gate is about. */
export const matchColumns = (shown: string): readonly Column<Rule>[] => [
  { title: 'Operation', show: ({ operation }) => [operation ?? 'All operations'].flat().join(', ') },
  { title: 'Teams', show: ({ team }) => (team === shown ? 'This team' : 'All teams') },
  {
    title: 'Where',
    show: ({ where }) => (where === undefined ? 'All requests' : <code>{JSON.stringify(where).slice(0, 150)}</code>),
  },
]
