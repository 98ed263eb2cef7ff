import { useState } from 'preact/hooks'
import type { ControlData } from '../../testing/control-client.ts'
import { useData } from '../data.ts'
import { readWorld, worldFileForm, worldFiles } from '../read-world.ts'
import { sandbox, sentenceOf } from '../session.ts'
import { Button, saveFile } from '../ui/buttons.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Field, type FilledIn, Form, Select, teamChoices } from '../ui/form.tsx'
import { act, notify } from '../ui/notices.tsx'
import { Page, type PageProps } from '../ui/page.tsx'
import { type Column, List } from '../ui/table.tsx'

type Snapshot = ControlData<'listSnapshots'>[number]

const columns: readonly Column<Snapshot>[] = [
  { title: 'Name', show: ({ name }) => name },
  { title: 'Of', show: (snapshot) => contentOf(snapshot) },
  { title: 'Records', show: ({ records }) => records.toLocaleString(), isNumber: true },
]

/** What everything, or one team, was like at a moment. */
export function Snapshots({ team }: PageProps) {
  const snapshots = useData((client) => client.snapshots.list(), [], 'settings')
  const change = async (work: () => Promise<unknown>, done: string) => {
    await act(work, done)
    snapshots.reload()
  }
  const mayReplace = async (name: string) =>
    !snapshots.value?.some((one) => one.name === name) ||
    (await confirm(`Replace the snapshot ${name}`, 'What it holds now will be lost.'))
  const save = async ({ name = '', teams }: FilledIn) => {
    const of = teams === 'all' ? undefined : { teamId: team }
    if (await mayReplace(name))
      await change(() => sandbox.value.snapshots.save(name, of), `The snapshot ${name} is saved`)
  }
  return (
    <Page title="Snapshots">
      <List
        caption="Snapshots by name"
        data={snapshots}
        columns={columns}
        actions={(snapshot) => <SnapshotActions snapshot={snapshot} team={team} change={change} />}
        keyOf={({ name }) => name}
        empty="No snapshot yet. Save one below before you try something, and restore it afterwards."
      />
      <div class="columns below">
        <Form class="card" onSubmit={save}>
          <h2>Save</h2>
          <Field label="Name" hint="Small letters, digits, dashes and underscores">
            <input name="name" required autocomplete="off" />
          </Field>
          <Field label="Of">
            <Select name="teams" choices={teamChoices.toReversed()} />
          </Field>
          <button type="submit" class="primary">
            Save the snapshot
          </button>
        </Form>
        <UploadSnapshot mayReplace={mayReplace} onUploaded={snapshots.reload} />
      </div>
    </Page>
  )
}

type Change = (work: () => Promise<unknown>, done: string) => Promise<void>

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
  const download = async () => {
    saveFile(`${name}.json`, await client.download(name))
  }
  const hasTeam = teams.includes(team)
  return (
    <div class="actions">
      {of === 'everything' ? (
        <Button class="small" onPress={() => restore(undefined)}>
          Restore all
        </Button>
      ) : null}
      {hasTeam ? (
        <Button class="small" onPress={() => restore(team)}>
          Restore this team
        </Button>
      ) : of === 'team' ? (
        <Button class="small" onPress={() => restore(undefined)}>
          Restore its team
        </Button>
      ) : null}
      <Button class="small" onPress={() => change(download, `The snapshot ${name} is downloaded`)}>
        Download
      </Button>
      <Button class="small danger" onPress={remove}>
        Delete
      </Button>
    </div>
  )
}

/** Says what a snapshot is of; of a damaged one, why it cannot be read. */
function contentOf({ of, teams, damage }: Snapshot): string {
  if (damage !== undefined) return damage
  return of === 'team' ? `the team ${teams[0] ?? ''}` : `all teams (${teams.length.toLocaleString()})`
}

interface UploadSnapshotProps {
  readonly mayReplace: (name: string) => Promise<boolean>
  readonly onUploaded: () => void
}

/** Uploads a file with a world. The faults of a world that is refused are listed with their places. */
function UploadSnapshot({ mayReplace, onUploaded }: UploadSnapshotProps) {
  const [name, setName] = useState('')
  const [file, setFile] = useState<File | undefined>(undefined)
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const upload = async (chosen: File) => {
    setRefusal(undefined)
    if (!(await mayReplace(name))) return
    try {
      await sandbox.value.snapshots.upload(name, await readWorld(chosen))
      notify(`The snapshot ${name} is uploaded`)
      onUploaded()
    } catch (error) {
      setRefusal(sentenceOf(error))
    }
  }
  return (
    <Form class="card" onSubmit={() => file && upload(file)}>
      <h2>Upload</h2>
      <Field label="File" hint={worldFileForm}>
        <input
          type="file"
          required
          accept={worldFiles}
          onChange={({ currentTarget: { files } }) => {
            const [chosen] = files ?? []
            setFile(chosen)
            setRefusal(undefined)
            if (chosen && name === '') setName(nameOf(chosen.name))
          }}
        />
      </Field>
      <Field label="Name" hint="Small letters, digits, dashes and underscores">
        <input required autocomplete="off" value={name} onInput={({ currentTarget: { value } }) => setName(value)} />
      </Field>
      <button type="submit">Upload the snapshot</button>
      {refusal === undefined ? null : (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </Form>
  )
}

/** The name of a file as a name of a snapshot. */
const nameOf = (file: string) =>
  file
    .replace(/\.(?:json|ya?ml)$/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 64)
