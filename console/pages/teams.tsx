import { useLocation } from 'preact-iso'
import { countRecords, countsInWords } from '../record-counts.ts'
import { sandbox, sentenceOf } from '../session.ts'
import { Badge } from '../ui/badge.tsx'
import { confirm } from '../ui/confirm.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { act } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { useData } from '../use-data.ts'
import { NewTeam } from './new-team.tsx'
import type { PageProps } from './page-props.ts'

interface ListedTeam {
  readonly teamId: string
  readonly name: string
}

/** All teams of the sandbox. It also works when there is none. */
export function Teams({ team }: PageProps) {
  const client = sandbox.value
  const { route } = useLocation()
  const teams = useData(() => client.teams.list(), [client], { at: 'settings' })
  const open = (teamId: string, page = '') => {
    route(`/console/${encodeURIComponent(teamId)}${page}`)
  }
  const remove = async (removed: ListedTeam) => {
    if (!(await deleteTeam(removed)) || removed.teamId !== team) return
    const other = teams.value?.find(({ teamId }) => teamId !== team)
    open(other?.teamId ?? '-', '/teams')
  }
  const columns: readonly Column<ListedTeam>[] = [
    { title: 'Name', show: ({ name }) => name },
    { title: 'Id', show: ({ teamId }) => <code>{teamId}</code> },
    {
      title: 'Actions',
      show: (one) => (
        <div class="actions">
          {one.teamId === team ? (
            <Badge tone="good">Shown now</Badge>
          ) : (
            <button
              type="button"
              onClick={() => {
                open(one.teamId)
              }}
            >
              Switch to it
            </button>
          )}
          <CopyButton label="Copy key" text={() => keyOf(one)} />
          <button type="button" onClick={() => void fork(one)}>
            Fork
          </button>
          <button type="button" class="danger" onClick={() => void reset(one)}>
            Reset
          </button>
          <button type="button" class="danger" onClick={() => void remove(one)}>
            Delete
          </button>
        </div>
      ),
    },
  ]
  return (
    <Page title="Teams">
      <Loaded data={teams}>
        {(all) => (
          <>
            <Table
              caption="Teams"
              columns={columns}
              rows={all}
              keyOf={({ teamId }) => teamId}
              hrefOf={({ teamId }) => `/console/${encodeURIComponent(teamId)}`}
              empty="This sandbox has no team. Create one below, or load a world."
            />
            <NewTeam
              teams={all}
              onCreated={(teamId) => {
                if (!all.some((one) => one.teamId === team)) open(teamId)
              }}
            />
          </>
        )}
      </Loaded>
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

const recordsOf = (teamId: string) => countRecords(teamId).then(countsInWords, sentenceOf)
