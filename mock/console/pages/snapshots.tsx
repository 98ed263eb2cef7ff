import type { ControlData } from '../../testing/control-client.ts'
import { useData } from '../data.ts'
import { sandbox } from '../session.ts'
import { ActionButton, ActionForm } from '../ui/actions.tsx'
import { saveFile } from '../ui/buttons.tsx'
import { teamChoices } from '../ui/form.tsx'
import { Page, type PageProps } from '../ui/page.tsx'
import { List } from '../ui/table.tsx'
import { UploadWorld } from './upload-world.tsx'

type Snapshot = ControlData<'listSnapshots'>[number]

const nameHint = 'Small letters, digits, dashes and underscores'

const fields = [
  { name: 'name', label: 'Name', hint: nameHint, required: true },
  { name: 'teams', label: 'Of', choices: teamChoices.toReversed() },
]

/** The saved states of all teams, or of one. */
export function Snapshots({ team }: PageProps) {
  const client = sandbox.value.snapshots
  const snapshots = useData((client) => client.snapshots.list(), [], 'settings')
  const replaces = (name: string) =>
    snapshots.value?.some((one) => one.name === name) && {
      asks: `Replace the snapshot ${name}`,
      loses: 'What it holds now will be lost.',
    }
  return (
    <Page title="Snapshots">
      <List
        caption="Snapshots by name"
        data={snapshots}
        columns={[
          { title: 'Name', show: ({ name }) => name },
          { title: 'Of', show: contentOf },
          { title: 'Records', show: ({ records }) => records.toLocaleString(), isNumber: true },
        ]}
        actions={(snapshot) => <SnapshotActions snapshot={snapshot} team={team} />}
        keyOf={({ name }) => name}
        empty="No snapshot yet. Save one below before you try something, and restore it afterwards."
      />
      <div class="columns below">
        <ActionForm
          title="Save"
          columns={[fields]}
          action={({ name = '', teams }) => ({
            title: 'Save the snapshot',
            ...replaces(name),
            run: () => client.save(name, teams === 'all' ? undefined : { teamId: team }),
            done: `The snapshot ${name} is saved`,
          })}
        />
        <UploadWorld
          title="Upload"
          label="File"
          nameHint={nameHint}
          actions={(_, name) => [
            {
              title: 'Upload the snapshot',
              ...replaces(name),
              run: (world) => client.upload(name, world),
              done: `The snapshot ${name} is uploaded`,
            },
          ]}
        />
      </div>
    </Page>
  )
}

function SnapshotActions({ snapshot, team }: { readonly snapshot: Snapshot; readonly team: string }) {
  const { name, of, teams } = snapshot
  const client = sandbox.value.snapshots
  const records = snapshot.records.toLocaleString()
  const restore = (lost: string, of?: { readonly teamId: string }) => ({
    asks: `Restore the snapshot ${name}`,
    loses: `${lost} will be lost. The snapshot has ${records} records of ${contentOf(snapshot)}.`,
    run: () => client.restore(name, of),
    done: `The snapshot ${name} is restored`,
  })
  const all = 'All teams with their records as they are now, and all bearer tokens,'
  const ofTeam = `The records that the team ${teams.includes(team) ? team : (teams[0] ?? '')} has now`
  return (
    <>
      {of === 'everything' ? <ActionButton title="Restore all" {...restore(all)} /> : null}
      {teams.includes(team) ? (
        <ActionButton title="Restore this team" {...restore(ofTeam, { teamId: team })} />
      ) : of === 'team' ? (
        <ActionButton title="Restore its team" {...restore(ofTeam)} />
      ) : null}
      <ActionButton
        title="Download"
        run={async () => saveFile(`${name}.json`, JSON.stringify(await client.download(name)))}
        done={`The snapshot ${name} is downloaded`}
      />
      <ActionButton
        title="Delete"
        asks={`Delete the snapshot ${name}`}
        loses={`Its ${records} records will be lost.`}
        run={() => client.delete(name)}
        done={`The snapshot ${name} is deleted`}
      />
    </>
  )
}

/** Says what a snapshot is of; of a damaged one, why it cannot be read. */
function contentOf({ of, teams, damage }: Snapshot): string {
  if (damage !== undefined) return damage
  return of === 'team' ? `the team ${teams[0] ?? ''}` : `all teams (${teams.length.toLocaleString()})`
}
