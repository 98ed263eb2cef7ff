import { useLocation } from 'preact-iso'
import { sandbox } from '../session.ts'
import { confirm } from '../ui/confirm.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { act } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'
import { useData } from '../use-data.ts'
import { DownloadWorld } from './download-world.tsx'
import type { PageProps } from './page-props.ts'
import { UploadWorld } from './upload-world.tsx'

type ShippedWorld = Awaited<ReturnType<typeof sandbox.value.worlds.list>>[number]
type Teams = readonly { readonly teamId: string; readonly name: string }[]

/** The worlds and stories of the package, worlds in files, and the present state as a world. */
export function Worlds({ team }: PageProps) {
  const client = sandbox.value
  const { route } = useLocation()
  const worlds = useData(() => client.worlds.list(), [client])
  const teams = useData(() => client.teams.list(), [client], { at: 'settings' })
  const health = useData(() => client.health(), [client])
  const start = health.value?.world ?? 'the initial data'
  const open = (teamId = '-') => {
    route(`/console/${encodeURIComponent(teamId)}`)
  }
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
        <button type="button" class="danger" onClick={() => void restart()}>
          Go back to {start}
        </button>
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
                  <button type="button" onClick={() => void add(world)}>
                    {world.teams.length === 1 ? 'Add as a new team' : `Add as ${world.teams.length} new teams`}
                  </button>
                  <button type="button" class="danger" onClick={() => void replace(world)}>
                    Replace everything
                  </button>
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
  const names = teams.slice(0, mostNames).map(({ name }) => name)
  return [...names, ...(others > 0 ? [`${others.toLocaleString()} more`] : [])].join(', ')
}

const lossOf = (teams: Teams) =>
  teams.length === 0
    ? 'There is no team now. All tokens end.'
    : `All present teams will be lost, with their keys and records: ${namesOf(teams)}. All tokens end. Snapshots stay.`
