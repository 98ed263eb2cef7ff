import { sandbox } from '../session.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { useData } from '../use-data.ts'
import type { PageProps } from './page-props.ts'

/** The first page: how to send a request, and what the sandbox holds. */
export function Home({ team }: PageProps) {
  const client = sandbox.value
  const about = useData(
    async () => ({ health: await client.health(), team: await client.teams.get(team) }),
    [client, team],
    { at: 'settings' },
  )
  return (
    <Page title="Overview">
      <Loaded data={about}>
        {({ health, team: { name, apiKeys } }) => {
          const key = apiKeys[0] ?? ''
          const curl = `curl ${location.origin}/api/contacts -H 'x-api-key: ${key}' -H 'content-type: application/json' -d '{"firstName":"Ada","lastName":"Lovelace"}'`
          return (
            <>
              <section class="card">
                <h2>Try it</h2>
                <pre class="json" tabIndex={0}>
                  {curl}
                </pre>
                <CopyButton label="Copy the line" text={() => curl} />
              </section>
              <dl class="fields">
                <div>
                  <dt>Base URL</dt>
                  <dd>
                    <code>{location.origin}</code> <CopyButton label="Copy" text={() => location.origin} />
                  </dd>
                </div>
                <div>
                  <dt>Team</dt>
                  <dd>{name}</dd>
                </div>
                <div>
                  <dt>API key</dt>
                  <dd>
                    <code>{key}</code> <CopyButton label="Copy" text={() => key} />
                  </dd>
                </div>
                <div>
                  <dt>Version</dt>
                  <dd>{health.version}</dd>
                </div>
                <div>
                  <dt>Store</dt>
                  <dd>{health.store}</dd>
                </div>
              </dl>
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
