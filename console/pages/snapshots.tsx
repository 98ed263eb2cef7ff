import type { ControlData } from '../../mock/control/client.ts'
import { sandbox } from '../session.ts'
import { confirm } from '../ui/confirm.tsx'
import { Field } from '../ui/field.tsx'
import { filledIn } from '../ui/filled-in.ts'
import { Loaded } from '../ui/loaded.tsx'
import { act } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'
import { saveFile } from '../ui/save-file.ts'
import { Table, type Column } from '../ui/table.tsx'
import { useData } from '../use-data.ts'
import type { PageProps } from './page-props.ts'
import { UploadSnapshot } from './upload-snapshot.tsx'

type Snapshot = ControlData<'listSnapshots'>[number]

/** What everything, or one team, was like at a moment. */
export function Snapshots({ team }: PageProps) {
  const client = sandbox.value
  const snapshots = useData(() => client.snapshots.list(), [client], { at: 'settings' })
  const change = async (work: () => Promise<unknown>, done: string) => {
    await act(work, done)
    snapshots.reload()
  }
  const columns: readonly Column<Snapshot>[] = [
    { title: 'Name', show: ({ name }) => name },
    { title: 'Of', show: contentOf },
    { title: 'Records', show: ({ records }) => records.toLocaleString(), isNumber: true },
    { title: 'Do', show: (snapshot) => <SnapshotActions snapshot={snapshot} team={team} change={change} /> },
  ]
  return (
    <Page title="Snapshots">
      <Loaded data={snapshots}>
        {(all) => (
          <Table
            caption="Snapshots by name"
            columns={columns}
            rows={all}
            keyOf={({ name }) => name}
            empty="No snapshot yet. Save one below before you try something, and restore it afterwards."
          />
        )}
      </Loaded>
      <div class="columns below">
        <form
          class="card"
          onSubmit={(event) => {
            event.preventDefault()
            const { name = '', teams } = filledIn(event.currentTarget)
            const isKnown = snapshots.value?.some((one) => one.name === name) ?? false
            void save(name, teams === 'all' ? undefined : team, isKnown, change)
          }}
        >
          <h2>Save</h2>
          <Field label="Name" hint="Small letters, digits, dashes and underscores">
            <input name="name" required autocomplete="off" />
          </Field>
          <Field label="Of">
            <select name="teams">
              <option value="all">All teams</option>
              <option value="team">This team</option>
            </select>
          </Field>
          <button type="submit" class="primary">
            Save the snapshot
          </button>
        </form>
        <UploadSnapshot names={snapshots.value?.map(({ name }) => name) ?? []} onUploaded={snapshots.reload} />
      </div>
    </Page>
  )
}

type Change = (work: () => Promise<unknown>, done: string) => Promise<void>

async function save(name: string, teamId: string | undefined, isKnown: boolean, change: Change): Promise<void> {
  if (isKnown && !(await confirm(`Replace the snapshot ${name}`, 'What it holds now will be lost.'))) return
  await change(
    () => sandbox.value.snapshots.save(name, teamId === undefined ? undefined : { teamId }),
    `The snapshot ${name} is saved`,
  )
}

interface SnapshotActionsProps {
  readonly snapshot: Snapshot
  readonly team: string
  readonly change: Change
}

function SnapshotActions({ snapshot, team, change }: SnapshotActionsProps) {
  const { name, of, teams, records } = snapshot
  const client = sandbox.value.snapshots
  const restore = async (teamId: string | undefined) => {
    const holds = `The snapshot has ${records.toLocaleString()} records of ${contentOf(snapshot)}.`
    const isWhole = of === 'everything' && teamId === undefined
    const loses = isWhole
      ? 'All teams with their records as they are now, and all bearer tokens, will be lost.'
      : `The records that the team ${teamId ?? teams[0] ?? ''} has now will be lost.`
    if (await confirm(`Restore the snapshot ${name}`, `${loses} ${holds}`))
      await change(
        () => client.restore(name, teamId === undefined ? undefined : { teamId }),
        `The snapshot ${name} is restored`,
      )
  }
  const remove = async () => {
    if (await confirm(`Delete the snapshot ${name}`, `Its ${records.toLocaleString()} records will be lost.`))
      await change(() => client.delete(name), `The snapshot ${name} is deleted`)
  }
  const hasTeam = teams.includes(team)
  return (
    <div class="actions">
      {of === 'everything' ? (
        <button type="button" class="small" onClick={() => void restore(undefined)}>
          Restore all
        </button>
      ) : null}
      {hasTeam ? (
        <button type="button" class="small" onClick={() => void restore(team)}>
          Restore this team
        </button>
      ) : of === 'team' ? (
        <button type="button" class="small" onClick={() => void restore(undefined)}>
          Restore its team
        </button>
      ) : null}
      <button
        type="button"
        class="small"
        onClick={() =>
          void change(async () => {
            saveFile(`${name}.json`, await client.download(name))
          }, `The snapshot ${name} is downloaded`)
        }
      >
        Download
      </button>
      <button type="button" class="small danger" onClick={() => void remove()}>
        Delete
      </button>
    </div>
  )
}

/** Says what a snapshot is of; of a damaged one, why it cannot be read. */
function contentOf({ of, teams, damage }: Snapshot): string {
  if (damage !== undefined) return damage
  return of === 'team' ? `the team ${teams[0] ?? ''}` : `all teams (${teams.length.toLocaleString()})`
}
