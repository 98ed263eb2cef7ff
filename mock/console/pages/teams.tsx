import { useLocation } from 'preact-iso'
import { hrefOf } from '../address.ts'
import { useData } from '../data.ts'
import { countRecords, countsInWords } from '../record-counts.ts'
import { sandbox, sentenceOf } from '../session.ts'
import { Button, CopyButton } from '../ui/buttons.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Field, type FilledIn, Form } from '../ui/form.tsx'
import { act } from '../ui/notices.tsx'
import { Page, type PageProps } from '../ui/page.tsx'
import { type Column, List } from '../ui/table.tsx'
import { Badge, labelOf } from '../ui/values.tsx'

interface ListedTeam {
  readonly teamId: string
  readonly name: string
}

const columns: readonly Column<ListedTeam>[] = [
  { title: 'Name', show: ({ name }) => name },
  { title: 'Id', show: ({ teamId }) => <code>{teamId}</code> },
]

/** All teams of the sandbox. It also works when there is none. */
export function Teams({ team }: PageProps) {
  const { route } = useLocation()
  const teams = useData((client) => client.teams.list(), [], 'settings')
  const labelled = (one: ListedTeam) => ({ ...one, name: labelOf(one, teams.value ?? []) })
  const open = (teamId: string, page?: string) => route(hrefOf(teamId, page))
  const remove = async (removed: ListedTeam) => {
    if (!(await deleteTeam(removed)) || removed.teamId !== team) return
    const other = teams.value?.find(({ teamId }) => teamId !== team)
    open(other?.teamId ?? '-', 'teams')
  }
  return (
    <Page title="Teams">
      <List
        caption="Teams"
        data={teams}
        columns={columns}
        actions={(one) => (
          <div class="actions">
            {one.teamId === team ? (
              <Badge tone="good">Shown now</Badge>
            ) : (
              <a class="button" href={hrefOf(one.teamId)}>
                Switch to it
              </a>
            )}
            <CopyButton label="Copy key" text={() => keyOf(one)} />
            <Button onPress={() => fork(one)}>Fork</Button>
            <Button class="danger" onPress={() => reset(labelled(one))}>
              Reset
            </Button>
            <Button class="danger" onPress={() => remove(labelled(one))}>
              Delete
            </Button>
          </div>
        )}
        keyOf={({ teamId }) => teamId}
        hrefOf={({ teamId }) => hrefOf(teamId)}
        empty="This sandbox has no team. Create one below, or load a world."
      />
      {teams.value === undefined ? null : (
        <NewTeam
          teams={teams.value}
          onCreated={(teamId) => {
            if (!teams.value?.some((one) => one.teamId === team)) open(teamId)
          }}
        />
      )}
    </Page>
  )
}

async function keyOf({ teamId, name }: ListedTeam): Promise<string> {
  const [key] = (await sandbox.value.teams.get(teamId)).apiKeys
  if (key === undefined) throw new Error(`The team ${name} has no API key.`)
  return key
}

const longestName = 100

const fork = ({ teamId, name }: ListedTeam) =>
  act(
    () => sandbox.value.teams.create({ name: `Fork of ${name}`.slice(0, longestName), from: `team:${teamId}` }),
    `Forked ${name}: the fork has the same records, and a key of its own`,
  )

async function reset({ teamId, name }: ListedTeam): Promise<void> {
  const loses = `It goes back to its initial records. Its records of now will be lost: ${await recordsOf(teamId)}. Its key stays.`
  if (await confirm(`Reset the team ${name}`, loses))
    await act(() => sandbox.value.teams.reset(teamId), `The team ${name} has its initial records again`)
}

/** Returns whether it was deleted. */
async function deleteTeam({ teamId, name }: ListedTeam): Promise<boolean> {
  const loses = `Its API keys and its records will be lost: ${await recordsOf(teamId)}.`
  if (!(await confirm(`Delete the team ${name}`, loses))) return false
  return act(() => sandbox.value.teams.delete(teamId), `The team ${name} was deleted`)
}

const recordsOf = (teamId: string) => countRecords(teamId, sandbox.value).then(countsInWords, sentenceOf)

interface NewTeamProps {
  readonly teams: readonly ListedTeam[]
  readonly onCreated: (teamId: string) => void
}

/** A form that creates a team: empty, or with the records of a team, a world or a snapshot. */
function NewTeam({ teams, onCreated }: NewTeamProps) {
  const sources = useData(
    async (client) => ({ worlds: await client.worlds.list(), snapshots: await client.snapshots.list() }),
    [],
    'settings',
  )
  const create = async (fields: FilledIn, form: HTMLFormElement) => {
    let teamId = ''
    const isCreated = await act(
      async () => {
        teamId = (await sandbox.value.teams.create(fields)).teamId
      },
      `Created the team ${fields.name ?? ''}`,
    )
    if (!isCreated) return
    form.reset()
    onCreated(teamId)
  }
  return (
    <section class="card after">
      <h2>Create a team</h2>
      <Form onSubmit={create}>
        <div class="columns">
          <Field label="Name" hint="Its id, if there is none.">
            <input name="name" maxLength={100} />
          </Field>
          <Field label="API key" hint="At least 8 characters without spaces. Generated, if there is none.">
            <input name="apiKey" autocomplete="off" />
          </Field>
          <Field label="Starts with" hint="The records of the new team, as a copy that is its own.">
            <select name="from">
              <option value="empty">No records, and a provider for each channel</option>
              {teams.length === 0 ? null : (
                <optgroup label="The present records of">
                  {teams.map((one) => (
                    <option key={one.teamId} value={`team:${one.teamId}`}>
                      {labelOf(one, teams)}
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
      </Form>
    </section>
  )
}
