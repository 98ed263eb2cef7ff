import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { ControlData } from '../../testing/control-client.ts'
import { hrefOf } from '../address.ts'
import { useData } from '../data.ts'
import { readWorld, sizeFaultOf, worldFileForm, worldFiles } from '../read-world.ts'
import { sandbox, sentenceOf } from '../session.ts'
import { Button, saveFile } from '../ui/buttons.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Field } from '../ui/form.tsx'
import { act, notify } from '../ui/notices.tsx'
import { Loaded, Page, type PageProps } from '../ui/page.tsx'
import { labelOf } from '../ui/values.tsx'

type ShippedWorld = ControlData<'listWorlds'>[number]
type Teams = ControlData<'listTeams'>

/** The worlds and stories of the package, worlds in files, and the present state as a world. */
export function Worlds({ team }: PageProps) {
  const client = sandbox.value
  const { route } = useLocation()
  const worlds = useData(({ worlds }) => worlds.list(), [])
  const teams = useData(({ teams }) => teams.list(), [], 'settings')
  const health = useData(({ health }) => health(), [])
  const start = health.value?.world ?? 'the initial data'
  const open = (teamId = '-') => route(hrefOf(teamId))
  const confirmLoss = async (action: string) => confirm(action, lossOf(await client.teams.list()))
  const add = async ({ teams }: ShippedWorld) => {
    const added: string[] = []
    const create = async () => {
      for (const { name, from } of teams) added.push((await client.teams.create({ name, from })).teamId)
    }
    if (await act(create, `Added ${namesOf(teams)}`)) open(added[0])
  }
  const replace = async ({ name }: ShippedWorld) => {
    if (!(await confirmLoss(`Replace everything with ${name}`))) return
    const load = async () => {
      const [first] = await client.loadWorld(await client.worlds.download(name))
      open(first?.teamId)
    }
    await act(load, `Loaded ${name} in place of everything`)
  }
  const restart = async () => {
    if (!(await confirmLoss(`Go back to ${start}`))) return
    if (await act(() => client.reset(), `Everything is as it was at the start, with ${start}`)) route('/console')
  }
  return (
    <Page
      title="Worlds"
      actions={
        <Button class="danger" onPress={restart}>
          Go back to {start}
        </Button>
      }
    >
      <Loaded data={worlds}>
        {(all) => (
          <ul class="tiles">
            {all.map((world) => (
              <li key={world.name} class="card">
                <h2>{world.name}</h2>
                <p>{world.description}.</p>
                <p>
                  <small>
                    {world.teams.length === 1 ? 'Team' : 'Teams'}: {namesOf(world.teams)}
                  </small>
                </p>
                <div class="actions">
                  <Button onPress={() => add(world)}>
                    {world.teams.length === 1 ? 'Add as a new team' : `Add as ${world.teams.length} new teams`}
                  </Button>
                  <Button class="danger" onPress={() => replace(world)}>
                    Replace everything
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <div class="columns">
        <UploadWorld confirmLoss={confirmLoss} open={open} />
        <DownloadWorld team={teams.value?.find(({ teamId }) => teamId === team)} />
      </div>
    </Page>
  )
}

const mostNames = 5

function namesOf(teams: Teams): string {
  const others = teams.length - mostNames
  const names = teams.slice(0, mostNames).map((one) => labelOf(one, teams))
  return [...names, ...(others > 0 ? [`${others.toLocaleString()} more`] : [])].join(', ')
}

const lossOf = (teams: Teams) =>
  teams.length === 0
    ? 'There is no team now. All tokens end.'
    : `All present teams will be lost, with their keys and records: ${namesOf(teams)}. All tokens end. Snapshots stay.`

interface UploadWorldProps {
  /** Asks once before an action that replaces everything. */
  readonly confirmLoss: (action: string) => Promise<boolean>
  readonly open: (teamId: string | undefined) => void
}

/** Adds the teams of a world in a file, or loads it in place of everything. Lists what is wrong with it. */
function UploadWorld({ confirmLoss, open }: UploadWorldProps) {
  const client = sandbox.value
  const [file, setFile] = useState<File | undefined>(undefined)
  const [faults, setFaults] = useState<readonly string[]>([])
  const upload = async (chosen: File, send: typeof client.addWorld) => {
    try {
      const [first] = await send(await readWorld(chosen))
      setFaults([])
      notify(`Loaded ${chosen.name}`)
      open(first?.teamId)
    } catch (error) {
      setFaults(sentenceOf(error).split('\n'))
    }
  }
  const replace = async (chosen: File) => {
    if (await confirmLoss(`Replace everything with ${chosen.name}`)) await upload(chosen, client.loadWorld)
  }
  return (
    <section class="card">
      <h2>Upload a world</h2>
      <Field label="World file" hint={worldFileForm}>
        <input
          type="file"
          accept={worldFiles}
          onChange={({ currentTarget: { files } }) => {
            const chosen = files?.[0]
            const fault = chosen && sizeFaultOf(chosen)
            setFaults(fault === undefined ? [] : [fault])
            setFile(fault === undefined ? chosen : undefined)
          }}
        />
      </Field>
      {faults.length === 0 ? null : (
        <div class="error" role="alert">
          <p>The world was refused, and nothing changed:</p>
          <ul>
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </div>
      )}
      <div class="actions">
        <Button disabled={!file} onPress={() => file && upload(file, client.addWorld)}>
          Add its teams
        </Button>
        <Button class="danger" disabled={!file} onPress={() => file && replace(file)}>
          Replace everything
        </Button>
      </div>
    </section>
  )
}

/** Downloads the present state as a world in JSON. */
function DownloadWorld({ team }: { readonly team: Teams[number] | undefined }) {
  const client = sandbox.value
  const download = (file: string, what: string, of?: { readonly teamId: string }) =>
    act(async () => {
      saveFile(file, await client.world(of))
    }, `Downloaded ${what}`)
  return (
    <section class="card">
      <h2>Download what there is now</h2>
      <p>
        As a world, with the API keys: upload it here, or start a sandbox with it, <code>serve --world FILE</code>.
      </p>
      <div class="actions">
        {team === undefined ? null : (
          <Button onPress={() => download(`${team.teamId}.json`, team.name, { teamId: team.teamId })}>
            The team {team.name}
          </Button>
        )}
        <Button onPress={() => download('world.json', 'all teams')}>All teams</Button>
      </div>
    </section>
  )
}
