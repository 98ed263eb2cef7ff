import { useState } from 'preact/hooks'
import { sandbox } from '../session.ts'
import { Field } from '../ui/field.tsx'
import { act } from '../ui/notices.tsx'
import { useData } from '../use-data.ts'

interface NewTeamProps {
  readonly teams: readonly { readonly teamId: string; readonly name: string }[]
  readonly onCreated: (teamId: string) => void
}

/** A form that creates a team: empty, or with the records of a team, a world or a snapshot. */
export function NewTeam({ teams, onCreated }: NewTeamProps) {
  const client = sandbox.value
  const [name, setName] = useState('')
  const [apiKey, setApiKey] = useState('')
  const [from, setFrom] = useState('empty')
  const sources = useData(
    async () => ({ worlds: await client.worlds.list(), snapshots: await client.snapshots.list() }),
    [client],
    { at: 'settings' },
  )
  const create = async () => {
    let teamId = ''
    const given = { ...(name !== '' && { name }), ...(apiKey !== '' && { apiKey }), from }
    const isCreated = await act(async () => {
      teamId = (await client.teams.create(given)).teamId
    }, `Created the team ${name}`)
    if (!isCreated) return
    setName('')
    setApiKey('')
    onCreated(teamId)
  }
  return (
    <section class="card after">
      <h2>Create a team</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <div class="columns">
          <Field label="Name" hint="Its id, if there is none.">
            <input
              value={name}
              maxLength={100}
              onInput={({ currentTarget }) => {
                setName(currentTarget.value)
              }}
            />
          </Field>
          <Field label="API key" hint="At least 8 characters without spaces. Generated, if there is none.">
            <input
              value={apiKey}
              autocomplete="off"
              onInput={({ currentTarget }) => {
                setApiKey(currentTarget.value)
              }}
            />
          </Field>
          <Field label="Starts with" hint="The records of the new team, as a copy that is its own.">
            <select
              value={from}
              onChange={({ currentTarget }) => {
                setFrom(currentTarget.value)
              }}
            >
              <option value="empty">No records, and a provider for each channel</option>
              {teams.length === 0 ? null : (
                <optgroup label="The present records of">
                  {teams.map(({ teamId, name }) => (
                    <option key={teamId} value={`team:${teamId}`}>
                      {name}
                    </option>
                  ))}
                </optgroup>
              )}
              {sources.value === undefined ? null : (
                <>
                  <optgroup label="A world of the package">
                    {sources.value.worlds.flatMap((world) =>
                      world.teams.map((team) => (
                        <option key={team.from} value={team.from}>
                          {world.name}: {team.name}
                        </option>
                      )),
                    )}
                  </optgroup>
                  <optgroup label="A snapshot">
                    {sources.value.snapshots.flatMap((snapshot) =>
                      snapshot.teams.map((team) => (
                        <option key={`${snapshot.name}/${team}`} value={`snapshot:${snapshot.name}/${team}`}>
                          {snapshot.name}: {team}
                        </option>
                      )),
                    )}
                  </optgroup>
                </>
              )}
            </select>
          </Field>
        </div>
        {sources.error === undefined ? null : <p class="error">{sources.error}</p>}
        <div class="actions">
          <button type="submit" class="primary">
            Create the team
          </button>
        </div>
      </form>
    </section>
  )
}
