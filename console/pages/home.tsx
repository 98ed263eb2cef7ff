import { useState } from 'preact/hooks'
import { quoteForShell } from '../../shared/text.ts'
import { countRecords } from '../record-counts.ts'
import { sandbox } from '../session.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { act } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'
import { useData } from '../use-data.ts'
import { LatestRequests } from './latest-requests.tsx'
import type { PageProps } from './page-props.ts'

/** The first page: how to send a request, and what the sandbox holds. */
export function Home({ team }: PageProps) {
  const client = sandbox.value
  const about = useData(() => client.teams.get(team), [client, team], { at: 'settings' })
  return (
    <Page title="Overview">
      <div class="columns">
        <div>
          <section class="card">
            <h2>Send a request</h2>
            <Loaded data={about}>{({ apiKeys }) => <FirstRequest team={team} apiKey={apiKeys[0]} />}</Loaded>
          </section>
          <TryNext team={team} />
          <section class="card">
            <h2>Read</h2>
            <ul class="links">
              <li>
                <a href="/docs">The API</a>: all 32 operations, to try out
              </li>
              <li>
                <a href="/docs/assumptions">The assumptions</a>: what the specification leaves open
              </li>
              <li>
                <a href="/docs/control">The control plane</a>: what this console uses
              </li>
              <li>
                <a href="/openapi.json">openapi.json</a>: the API for generators
              </li>
            </ul>
          </section>
        </div>
        <div>
          <LatestRequests team={team} />
          <Contents team={team} />
        </div>
      </div>
    </Page>
  )
}

/** Pages to try, with a reason for each. */
function TryNext({ team }: { readonly team: string }) {
  const ideas = [
    ['inbox', 'Write as a customer', ', and see the message in the thread'],
    ['requests', 'Read why a request was refused', ': send the line without its lastName'],
    ['faults', 'Let a request fail', ', and see whether your client retries'],
    ['assumptions', 'Switch an assumption', ', and see whether your code still works'],
    ['clock', 'Advance the clock', ', so that scheduled messages are sent'],
    ['worlds', 'Load a story', ' as a new team, with conversations to read'],
    ['teams', 'Fork this team', ', and try something that you can throw away'],
  ] as const
  return (
    <section class="card">
      <h2>Try next</h2>
      <ul class="links">
        {ideas.map(([page, action, reason]) => (
          <li key={page}>
            <a href={`/console/${encodeURIComponent(team)}/${page}`}>{action}</a>
            {reason}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How a request of this team looks, with its key or with a bearer token. */
function FirstRequest({ team, apiKey }: { readonly team: string; readonly apiKey: string | undefined }) {
  const [token, setToken] = useState<string | undefined>(undefined)
  const credential = token === undefined ? `x-api-key: ${apiKey ?? ''}` : `authorization: Bearer ${token}`
  const line = lineWith(credential)
  const sign = () =>
    act(async () => {
      setToken((await sandbox.value.tokens.sign({ teamId: team, role: 'admin' })).token)
    }, 'The line has a bearer token of an admin, for an hour')
  return (
    <>
      <dl class="fields">
        <div>
          <dt>Base URL</dt>
          <dd>
            <code>{location.origin}</code> <CopyButton label="Copy the URL" text={() => location.origin} />
          </dd>
        </div>
        <div>
          <dt>API key</dt>
          <dd>
            {apiKey === undefined ? (
              'This team has no key; send a bearer token.'
            ) : (
              <>
                <code>{apiKey}</code> <CopyButton label="Copy the key" text={() => apiKey} />
              </>
            )}
          </dd>
        </div>
      </dl>
      {apiKey === undefined && token === undefined ? null : (
        <pre class="json" tabIndex={0}>
          {line}
        </pre>
      )}
      <div class="actions">
        {apiKey === undefined && token === undefined ? null : <CopyButton label="Copy the line" text={() => line} />}
        {token === undefined ? (
          <button type="button" class="quiet" onClick={() => void sign()}>
            With a bearer token
          </button>
        ) : (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              setToken(undefined)
            }}
          >
            With the API key
          </button>
        )}
      </div>
    </>
  )
}

const lineWith = (credential: string) =>
  [
    `curl ${location.origin}/api/contacts`,
    `-H ${quoteForShell(credential)}`,
    "-H 'content-type: application/json'",
    `-d '{"firstName":"Ada","lastName":"Lovelace"}'`,
  ].join(' \\\n  ')

/** What is loaded, and which choices differ from those of the register. */
function Contents({ team }: { readonly team: string }) {
  const client = sandbox.value
  const base = `/console/${encodeURIComponent(team)}`
  const counts = useData(() => countRecords(team), [client, team], { at: 'records' })
  const settings = useData(
    async () => ({
      health: await client.health(),
      switched: (await client.assumptions.list({ teamId: team })).filter(({ choice, assumed }) => choice !== assumed),
    }),
    [client, team],
    { at: 'settings' },
  )
  return (
    <section class="card">
      <h2>What is loaded</h2>
      <Loaded data={counts}>
        {(all) => (
          <dl class="counts">
            {all.map(([kind, count]) => (
              <div key={kind}>
                <dt>{kind}</dt>
                <dd>{count.toLocaleString()}</dd>
              </div>
            ))}
          </dl>
        )}
      </Loaded>
      <Loaded data={settings}>
        {({ health, switched }) => (
          <dl class="fields">
            <div>
              <dt>Initial data</dt>
              <dd>
                {health.world ?? 'From a program'} <a href={`${base}/worlds`}>Load another world</a>
              </dd>
            </div>
            <div>
              <dt>Store</dt>
              <dd>{health.store}</dd>
            </div>
            <div>
              <dt>Version</dt>
              <dd>{health.version}</dd>
            </div>
            <div>
              <dt>Changed choices</dt>
              <dd class="list">
                {switched.length === 0 ? 'None: every choice is the assumed one.' : null}
                {switched.map(({ name, choice }) => (
                  <a key={name} href={`${base}/assumptions/${name}`}>
                    {name}={choice}
                  </a>
                ))}
              </dd>
            </div>
          </dl>
        )}
      </Loaded>
    </section>
  )
}
