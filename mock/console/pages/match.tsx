import type { ComponentChildren } from 'preact'
import type { ControlData } from '../../testing/control-client.ts'
import { parseJson } from '../../../lib/parse-json.ts'
import type { Data } from '../data.ts'
import { operationIds } from '../session.ts'
import { Field, type FilledIn, Form, Select, teamChoices } from '../ui/form.tsx'
import { type Column, List } from '../ui/table.tsx'

type Rule = ControlData<'listFaults'>[number] | ControlData<'listGates'>[number]

/** A rule without a team applies to every team. */
export const isOfTeam = (shown: string) => (rule: Rule) => rule.team === undefined || rule.team === shown

interface RuleListProps<R extends Rule> {
  readonly title: string
  readonly team: string
  readonly data: Data<readonly R[]>
  /** Beside those that say which requests a rule is about. */
  readonly columns: readonly Column<R>[]
  readonly actions: (rule: R) => ComponentChildren
  readonly empty: string
  /** Beside the title. */
  readonly bar?: ComponentChildren
  /** Adds a rule. */
  readonly children: ComponentChildren
}

/** The faults or the gates that apply to a team. */
export function RuleList<R extends Rule>({ title, team, columns, bar, children, ...list }: RuleListProps<R>) {
  return (
    <section>
      <header class="bar">
        <h2>{title}</h2>
        {bar}
      </header>
      <List
        {...list}
        caption={`${title}, in the order in which they were added`}
        columns={[...matchColumns(team), ...columns]}
        keyOf={({ id }) => id}
      />
      {children}
    </section>
  )
}

/** Which requests a fault or a gate is about. */
const matchColumns = (shown: string): readonly Column<Rule>[] => [
  { title: 'Operation', show: ({ operation }) => [operation ?? 'All operations'].flat().join(', ') },
  { title: 'Teams', show: ({ team }) => (team === shown ? 'This team' : 'All teams') },
  {
    title: 'Where',
    show: ({ where }) => (where === undefined ? 'All requests' : <code>{JSON.stringify(where).slice(0, 150)}</code>),
  },
]

interface RuleFormProps {
  readonly what: 'fault' | 'gate'
  /** The inputs beside those that say which requests it is about. */
  readonly children: ComponentChildren
  /** More inputs below those. */
  readonly below?: ComponentChildren
  readonly onAdd: (fields: FilledIn) => unknown
}

/** Adds a fault or a gate. Its fields are checked by the control plane. */
export function RuleForm({ what, children, below, onAdd }: RuleFormProps) {
  return (
    <details class="card form">
      <summary>Add a {what}</summary>
      <Form onSubmit={onAdd}>
        <div class="columns">
          <div>
            <MatchFields />
            {below}
          </div>
          <div>{children}</div>
        </div>
        <div class="actions">
          <button type="submit" class="primary">
            Add the {what}
          </button>
        </div>
      </Form>
    </details>
  )
}

function MatchFields() {
  return (
    <>
      <Field label="Operation">
        <Select name="operation" choices={[['', 'All operations'], ...operationIds]} />
      </Field>
      <Field label="Teams">
        <Select name="teams" choices={teamChoices} />
      </Field>
      <Field label="Only where the field" hint="Of the body, the path or the query, such as email or scheduleTime.date">
        <input name="field" autocomplete="off" />
      </Field>
      <Field label="has the value" hint='A text, or JSON such as 5, true or ["a"]'>
        <input name="value" autocomplete="off" />
      </Field>
    </>
  )
}

/** The requests that the filled in inputs select. */
export function matchIn({ operation, teams, field, value = '' }: FilledIn, team: string) {
  if (field === undefined && value !== '') throw new Error('Name the field that has this value')
  const json = parseJson(value)
  return {
    ...(operation !== undefined && { operation }),
    ...(teams !== 'all' && { team }),
    ...(field !== undefined && { where: { [field]: json === undefined ? value : json } }),
  }
}

export const numberIn = (text: string | undefined) => (text === undefined ? undefined : Number(text))
