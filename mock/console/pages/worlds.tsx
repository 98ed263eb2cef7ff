import { useLocation } from 'preact-iso'
import type { AnyWorld, ControlData } from '../../testing/control-client.ts'
import { hrefOf } from '../address.ts'
import { useData } from '../data.ts'
import { sandbox } from '../session.ts'
import { ActionButton } from '../ui/actions.tsx'
import { saveFile } from '../ui/buttons.tsx'
import { Loaded, Page, type PageProps } from '../ui/page.tsx'
import { labelOf } from '../ui/values.tsx'
import { UploadWorld } from './upload-world.tsx'

type Teams = ControlData<'listTeams'>

/** The worlds and stories of the package, worlds in files, and the present state as a world. */
export function Worlds({ team }: PageProps) {
  const client = sandbox.value
  const { route } = useLocation()
  const worlds = useData(({ worlds }) => worlds.list(), [])
  const teams = useData(({ teams }) => teams.list(), [], 'settings')
  const health = useData(({ health }) => health(), [])
  const start = health.value?.world ?? 'the initial data'
  const shown = teams.value?.find(({ teamId }) => teamId === team)
  const loses = async () => lossOf(await client.teams.list())
  const open = ([first]: readonly { readonly teamId: string }[]) => route(hrefOf(first?.teamId ?? '-'))
  const add = async ({ teams }: ControlData<'listWorlds'>[number]) => {
    const added = []
    for (const { name, from } of teams) added.push(await client.teams.create({ name, from }))
    open(added)
  }
  const addTeams = async (world: AnyWorld) => open(await client.addWorld(world))
  const replacing = (by: string) => ({ asks: `Replace everything with ${by}`, loses })
  const replace = async (world: AnyWorld) => open(await client.loadWorld(world))
  const restart = async () => {
    await client.reset()
    route('/console')
  }
  return (
    <Page
      title="Worlds"
      actions={
        <ActionButton
          title={`Go back to ${start}`}
          loses={loses}
          run={restart}
          done={`Everything is as it was at the start, with ${start}`}
        />
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
                  <ActionButton
                    title={world.teams.length === 1 ? 'Add as a new team' : `Add as ${world.teams.length} new teams`}
                    run={() => add(world)}
                    done={`Added ${namesOf(world.teams)}`}
                  />
                  <ActionButton
                    title="Replace everything"
                    {...replacing(world.name)}
                    run={async () => replace(await client.worlds.download(world.name))}
                    done={`Loaded ${world.name} in place of everything`}
                  />
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <div class="columns">
        <UploadWorld
          title="Upload a world"
          label="World file"
          actions={(file) => [
            { title: 'Add its teams', run: addTeams, done: `Loaded ${file}` },
            { title: 'Replace everything', ...replacing(file), run: replace, done: `Loaded ${file}` },
          ]}
        />
        <section class="card">
          <h2>Download what there is now</h2>
          <p>
            As a world, with the API keys: upload it here, or start a sandbox with it, <code>serve --world FILE</code>.
          </p>
          <div class="actions">
            {shown ? (
              <ActionButton
                title={`The team ${shown.name}`}
                run={async () => saveFile(`${team}.json`, JSON.stringify(await client.world({ teamId: team })))}
                done={`Downloaded ${shown.name}`}
              />
            ) : null}
            <ActionButton
              title="All teams"
              run={async () => saveFile('world.json', JSON.stringify(await client.world()))}
              done="Downloaded all teams"
            />
          </div>
        </section>
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
