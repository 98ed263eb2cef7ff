import { sandbox } from '../session.ts'
import { act } from '../ui/notices.tsx'
import { saveFile } from '../ui/save-file.ts'

interface DownloadWorldProps {
  readonly team: { readonly teamId: string; readonly name: string } | undefined
}

/** Downloads the present state as a world in JSON. */
export function DownloadWorld({ team }: DownloadWorldProps) {
  const client = sandbox.value
  return (
    <section class="card">
      <h2>Download what there is now</h2>
      <p>
        As a world, with the API keys: upload it here, or start a sandbox with it, <code>serve --world FILE</code>.
      </p>
      <div class="actions">
        {team === undefined ? null : (
          <button
            type="button"
            onClick={() =>
              void act(async () => {
                saveFile(`${team.teamId}.json`, await client.world({ teamId: team.teamId }))
              }, `Downloaded ${team.name}`)
            }
          >
            The team {team.name}
          </button>
        )}
        <button
          type="button"
          onClick={() =>
            void act(async () => {
              saveFile('world.json', await client.world())
            }, 'Downloaded all teams')
          }
        >
          All teams
        </button>
      </div>
    </section>
  )
}
