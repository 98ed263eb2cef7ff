import { useState } from 'preact/hooks'
import { quoteForShell } from '../../../lib/text.ts'
import { hrefOf } from '../address.ts'
import { useData } from '../data.ts'
import { countRecords } from '../record-counts.ts'
import { ownRequests, sandbox } from '../session.ts'
import { Button, CopyButton } from '../ui/buttons.tsx'
import { act } from '../ui/notices.tsx'
import { Loaded, Page, type PageProps } from '../ui/page.tsx'
import { Badge, Item } from '../ui/values.tsx'
import { useJournal } from './requests.tsx'

/** The first page: how to send a request, and what the sandbox holds. */
export function Home({ team }: PageProps) {
  const about = useData((client) => client.teams.get(team), [team], 'settings')
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
            <a href={hrefOf(team, page)}>{action}</a>
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
        <Item title="Base URL">
          <code>{location.origin}</code> <CopyButton label="Copy the URL" text={() => location.origin} />
        </Item>
        <Item title="API key">
          {apiKey === undefined ? (
            'This team has no key; send a bearer token.'
          ) : (
            <>
              <code>{apiKey}</code> <CopyButton label="Copy the key" text={() => apiKey} />
            </>
          )}
        </Item>
      </dl>
      {apiKey === undefined && token === undefined ? null : (
        <pre class="json" tabIndex={0}>
          {line}
        </pre>
      )}
      <div class="actions">
        {apiKey === undefined && token === undefined ? null : <CopyButton label="Copy the line" text={() => line} />}
        {token === undefined ? (
          <Button class="quiet" onPress={sign}>
            With a bearer token
          </Button>
        ) : (
          <Button class="quiet" onPress={() => setToken(undefined)}>
            With the API key
          </Button>
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
  const counts = useData((client) => countRecords(team, client), [team], 'records')
  const settings = useData(
    async (client) => ({
      health: await client.health(),
      switched: (await client.assumptions.list({ teamId: team })).filter(({ choice, assumed }) => choice !== assumed),
    }),
    [team],
    'settings',
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
            <Item title="Initial data">
              {health.world ?? 'From a program'} <a href={hrefOf(team, 'worlds')}>Load another world</a>
            </Item>
            <Item title="Store">{health.store}</Item>
            <Item title="Memory">{memoryInWords(health.memory)}</Item>
            <Item title="Version">{health.version}</Item>
            <Item title="Changed choices" isList>
              {switched.length === 0 ? 'None: every choice is the assumed one.' : null}
              {switched.map(({ name, choice }) => (
                <a key={name} href={hrefOf(team, 'assumptions', name)}>
                  {name}={choice}
                </a>
              ))}
            </Item>
          </dl>
        )}
      </Loaded>
    </section>
  )
}

/** Such as `2 of 192 MiB beside the records: journal 2`. */
function memoryInWords({ most, used }: { readonly most: number; readonly used: Readonly<Record<string, number>> }) {
  const inMebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024)
  const parts = Object.entries(used).filter(([, bytes]) => inMebibytes(bytes) > 0)
  const sum = Object.values(used).reduce((all, bytes) => all + bytes, 0)
  const words = parts.map(([use, bytes]) => `${use} ${inMebibytes(bytes)}`)
  return `${inMebibytes(sum)} of ${inMebibytes(most)} MiB beside the records${words.length > 0 ? `: ${words.join(', ')}` : ''}`
}

const mostShown = 5

/** The latest requests of a team and those without a valid credential, live. */
function LatestRequests({ team }: { readonly team: string }) {
  const { requests, error } = useJournal({ team, orNoTeam: true })
  const shown = requests
    .filter(({ id }) => !id.startsWith(ownRequests))
    .slice(-mostShown)
    .reverse()
  return (
    <section class="card">
      <h2>Latest requests</h2>
      {error === undefined ? null : <p class="error">{error}</p>}
      {shown.length === 0 ? (
        <p>No request yet. Paste the line into a terminal; the request appears here at once.</p>
      ) : (
        <ul class="links">
          {shown.map(({ id, at, server = '', status, refused, operation, method, url }) => (
            <li key={`${id} ${at} ${server}`}>
              <Badge tone={refused ? 'bad' : 'good'}>{status}</Badge>{' '}
              <a href={hrefOf(team, 'requests', id)}>{operation ?? `${method} ${url.slice(0, 80)}`}</a>
            </li>
          ))}
        </ul>
      )}
      <a href={hrefOf(team, 'requests')}>All requests</a>
    </section>
  )
}
