import { useState } from 'preact/hooks'
import type { SeenAssumption } from '../../mock/control/client.ts'
import { changes } from '../live.ts'
import { sandbox } from '../session.ts'
import { Badge } from '../ui/badge.tsx'
import { Field } from '../ui/field.tsx'
import { filledIn } from '../ui/filled-in.ts'
import { Loaded } from '../ui/loaded.tsx'
import { act } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'
import { useData } from '../use-data.ts'

/** Where a choice comes from, in words. */
export const origins: Readonly<Record<SeenAssumption['from'], string>> = {
  default: 'assumed',
  profile: 'learned, from the profile',
  start: 'chosen at the start',
  runTime: 'switched for all teams',
  team: 'switched for this team',
}

type Name = Parameters<typeof sandbox.value.assumptions.get>[0]
type Written = Parameters<typeof sandbox.value.assumptions.set>[0]

/** One question with its choices; another choice can be switched on. */
export function OneAssumption({ team, name }: { readonly team: string; readonly name: string }) {
  const client = sandbox.value
  const entry = useData(
    async () => ({
      ofTeam: await client.assumptions.get(name as Name, { teamId: team }),
      ofAll: await client.assumptions.get(name as Name),
    }),
    [client, team, name, changes.records.value],
    { at: 'settings' },
  )
  return <Loaded data={entry}>{(both) => <Shown {...both} team={team} />}</Loaded>
}

interface ShownProps {
  readonly team: string
  readonly ofTeam: SeenAssumption
  readonly ofAll: SeenAssumption
}

function Shown({ team, ofTeam, ofAll }: ShownProps) {
  const { name, question, choice, from, relied, assumed, certainty, section, operations } = ofTeam
  return (
    <Page title={name}>
      <p class="question">{question}</p>
      <dl class="fields">
        <div>
          <dt>For this team</dt>
          <dd>
            <code>{choice}</code> <Badge tone={from === 'default' ? undefined : 'good'}>{origins[from]}</Badge>
          </dd>
        </div>
        <div>
          <dt>For all teams</dt>
          <dd>
            <code>{ofAll.choice}</code>{' '}
            <Badge tone={ofAll.from === 'default' ? undefined : 'good'}>{origins[ofAll.from]}</Badge>
          </dd>
        </div>
        <div>
          <dt>Assumed</dt>
          <dd>
            <code>{assumed}</code>
          </dd>
        </div>
        <div>
          <dt>How sure</dt>
          <dd>{certainty === 'likely' ? 'The assumed choice is likely' : 'Open: no reason favours a choice'}</dd>
        </div>
        <div>
          <dt>Relied on by</dt>
          <dd>
            {relied.toLocaleString()} {relied === 1 ? 'answer' : 'answers'} of all teams.{' '}
            <a href={`/console/${encodeURIComponent(team)}/requests?assumed=${name}`}>
              Requests of this team that relied on it
            </a>
          </dd>
        </div>
        <div>
          <dt>Operations</dt>
          <dd>{operations === 'all' ? 'All' : operations.join(', ')}</dd>
        </div>
        <div>
          <dt>Left open by</dt>
          <dd>The section {section} of the specification</dd>
        </div>
      </dl>
      <SwitchForm key={choice} team={team} entry={ofTeam} />
    </Page>
  )
}

/** The choices with their meaning. Those with an amount take a number, as in `perMinute:60`. */
function SwitchForm({
  team,
  entry: { name, choice, choices },
}: {
  readonly team: string
  readonly entry: SeenAssumption
}) {
  const [current = '', currentAmount] = choice.split(':')
  const [chosen, setChosen] = useState(current)
  const switchTo = async ({ amount, teams }: Readonly<Record<string, string>>) => {
    const written = amount === undefined ? chosen : `${chosen}:${amount}`
    const wanted = { [name]: written } as Written
    const whose = teams === 'all' ? 'all teams' : 'this team'
    await act(
      () => sandbox.value.assumptions.set(wanted, teams === 'all' ? undefined : { teamId: team }),
      `${name} is ${written} for ${whose}`,
    )
  }
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        void switchTo(filledIn(event.currentTarget))
      }}
    >
      <fieldset class="choices">
        <legend>Choices</legend>
        {choices.map((one) => (
          <div key={one.choice}>
            <label class="check">
              <input
                type="radio"
                name="choice"
                value={one.choice}
                checked={one.choice === chosen}
                onChange={() => {
                  setChosen(one.choice)
                }}
              />
              <span>
                <code>{one.choice}</code> <span>{one.words}</span>
              </span>
            </label>
            {one.numberOf !== undefined && one.choice === chosen ? (
              <Field label={`Number of ${one.numberOf}`}>
                <input
                  name="amount"
                  type="number"
                  required
                  defaultValue={one.choice === current ? (currentAmount ?? '') : ''}
                />
              </Field>
            ) : null}
          </div>
        ))}
      </fieldset>
      <div class="actions">
        <select name="teams" aria-label="For which teams">
          <option value="team">For this team</option>
          <option value="all">For all teams</option>
        </select>
        <button type="submit" class="primary">
          Switch
        </button>
      </div>
    </form>
  )
}
