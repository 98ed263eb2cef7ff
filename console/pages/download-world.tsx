import { sandbox } from '../session.ts'
import { act } from '../ui/notices.tsx'

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
                save(`${team.teamId}.json`, await client.world({ teamId: team.teamId }))
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
              save('world.json', await client.world())
            }, 'Downloaded all teams')
          }
        >
          All teams
        </button>
      </div>
    </section>
  )
}

/** Lets the browser save a value as a file. */
function save(name: string, value: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, 60_000)
}
