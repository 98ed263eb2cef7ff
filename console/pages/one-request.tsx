import { asCurl, asTest } from '../../mock/control/repeat-request.ts'
import type { SeenRequest } from '../../mock/control/client.ts'
import { ownRequests, sandbox } from '../session.ts'
import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Json } from '../ui/json.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { act, notify } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { useData } from '../use-data.ts'

/** One request: what was sent and answered, what it changed, and why it was refused. */
export function OneRequest({ team, id }: { readonly team: string; readonly id: string }) {
  const client = sandbox.value
  const request = useData(() => client.requests.get(id), [client, id])
  return <Loaded data={request}>{(seen) => <Shown request={seen} team={team} />}</Loaded>
}

function Shown({ request, team }: { readonly request: SeenRequest; readonly team: string }) {
  const {
    id,
    at,
    ms,
    method,
    url,
    operation,
    status,
    refused,
    sent,
    answered,
    assumed,
    learned,
    changed,
    why,
    failure,
  } = request
  const assumptionsAt = `/console/${encodeURIComponent(team)}/assumptions`
  return (
    <Page
      title={operation ?? `${method} ${url.slice(0, 80)}`}
      actions={
        <>
          <CopyButton label="Copy as curl" text={() => asCurl(request, location.origin)} />
          <CopyButton label="Copy as test" text={() => asTest(request)} />
          <button type="button" onClick={() => void repeat(request, team)}>
            Repeat
          </button>
        </>
      }
    >
      <dl class="fields">
        <div>
          <dt>Request</dt>
          <dd>
            <code>
              {method} {url}
            </code>
          </dd>
        </div>
        <div>
          <dt>Status</dt>
          <dd>
            <Badge tone={refused ? 'bad' : 'good'}>{status}</Badge> after {ms.toLocaleString()} ms
          </dd>
        </div>
        <div>
          <dt>At</dt>
          <dd>
            <Time at={at} />
          </dd>
        </div>
        <div>
          <dt>Team</dt>
          <dd>{request.team ?? 'none: it had no valid credential'}</dd>
        </div>
        <div>
          <dt>Changed</dt>
          <dd>{changed || 'Nothing'}</dd>
        </div>
        {why ? (
          <div>
            <dt>Refused because</dt>
            <dd>
              {why.words}
              {why.field === undefined ? null : (
                <>
                  {' '}
                  Field: <code>{why.field}</code>.
                </>
              )}{' '}
              {why.assumption === undefined ? (
                <small>{why.promise === undefined ? (why.document ?? why.limit) : `Promise ${why.promise}`}</small>
              ) : (
                <a href={`${assumptionsAt}/${why.assumption}`}>
                  {why.assumption}={why.choice}
                </a>
              )}
            </dd>
          </div>
        ) : null}
        {failure === undefined ? null : (
          <div>
            <dt>Failure</dt>
            <dd>{failure}</dd>
          </div>
        )}
        {assumed.length + learned.length === 0 ? null : (
          <div>
            <dt>Relied on</dt>
            <dd class="list">
              {[...assumed, ...learned].map((name) => (
                <a key={name} href={`${assumptionsAt}/${name}`}>
                  {name}
                </a>
              ))}
            </dd>
          </div>
        )}
        <div>
          <dt>Id</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </div>
      </dl>
      <div class="columns">
        <section>
          <h2>Sent</h2>
          <Json value={sent.body ?? 'No body'} />
          <details>
            <summary>Headers</summary>
            <Json value={sent.headers} />
          </details>
        </section>
        <section>
          <h2>Answered</h2>
          <Json value={answered.body ?? 'No body'} />
          <details>
            <summary>Headers</summary>
            <Json value={answered.headers} />
          </details>
        </section>
      </div>
    </Page>
  )
}

/** Sends the request again, with the key of the shown team in place of the redacted credential. */
async function repeat(request: SeenRequest, team: string): Promise<void> {
  const { method, url, sent } = request
  if (sent.cut || /multipart/i.test(sent.headers['content-type'] ?? '')) {
    notify('The journal does not have the whole body of this request, so it cannot be repeated.', true)
    return
  }
  await act(async () => {
    const { apiKeys } = await sandbox.value.teams.get(team)
    const {
      host: _host,
      'content-length': _length,
      connection: _connection,
      'x-request-id': _id,
      ...headers
    } = sent.headers
    const kept = Object.entries(headers).filter(([name]) => /^(content-type|idempotency-key|prefer)$/.test(name))
    const response = await fetch(url, {
      method,
      headers: {
        ...Object.fromEntries(kept),
        'x-api-key': apiKeys[0] ?? '',
        'x-request-id': `${ownRequests}${crypto.randomUUID()}`,
      },
      ...(sent.body === undefined
        ? {}
        : { body: typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body) }),
    })
    notify(`Answered ${response.status}`)
  }, 'Sent again; the answer is in the list with the requests of this console')
}
