import { asCurl, asTest, repeatablePartsOf } from '../../control/repeat-request.ts'
import { refusalInWords } from '../../control/request-in-words.ts'
import type { SeenRequest } from '../../testing/control-client.ts'
import { hrefOf } from '../address.ts'
import { useData } from '../data.ts'
import { ownRequests, sandbox } from '../session.ts'
import { Button, CopyButton } from '../ui/buttons.tsx'
import { act } from '../ui/notices.tsx'
import { Loaded, Page } from '../ui/page.tsx'
import { Badge, Item, Json, Time } from '../ui/values.tsx'

/** One request with its response, its changes, and the reason of a refusal. */
export function OneRequest({ team, id }: { readonly team: string; readonly id: string }) {
  const request = useData((client) => client.requests.get(id, { all: true }), [id])
  return <Loaded data={request}>{(seen) => <Shown request={seen} team={team} />}</Loaded>
}

function Shown({ request, team }: { readonly request: SeenRequest; readonly team: string }) {
  const { id, at, ms, method, url, operation, status, refused, sent, answered, changed, why, failure } = request
  const relied = [...request.assumed, ...request.learned]
  return (
    <Page
      title={operation ?? `${method} ${url.slice(0, 80)}`}
      actions={
        <>
          <CopyButton label="Copy as curl" text={() => asCurl(request, location.origin)} />
          <CopyButton label="Copy as test" text={() => asTest(request)} />
          <Button onPress={() => repeat(request, team)}>Repeat</Button>
        </>
      }
    >
      <dl class="fields">
        <Item title="Request">
          <code>
            {method} {url}
          </code>
        </Item>
        <Item title="Status">
          <Badge tone={refused ? 'bad' : 'good'}>{status}</Badge> after {ms.toLocaleString()} ms
        </Item>
        <Item title="At">
          <Time at={at} isExact />
        </Item>
        <Item title="Team">{request.team ?? 'none: it had no valid credential'}</Item>
        <Item title="Server">{request.server}</Item>
        <Item title="Changed">{changed || 'Nothing'}</Item>
        <Item title="Message">
          {refused ? refusalInWords(request).map((line) => <p key={line}>{line}</p>) : undefined}
        </Item>
        <Item title="Refused because">{why && <Reason why={why} team={team} />}</Item>
        <Item title="Failure">{failure}</Item>
        <Item title="Relied on" isList>
          {relied.length === 0
            ? undefined
            : relied.map((name) => (
                <a key={name} href={hrefOf(team, 'assumptions', name)}>
                  {name}
                </a>
              ))}
        </Item>
        <Item title="Id">
          <code>{id}</code>
        </Item>
      </dl>
      <div class="columns">
        <Content title="Sent" {...sent} />
        <Content title="Answered" {...answered} />
      </div>
    </Page>
  )
}

/** The reason of a refusal, with the assumption or the promise. */
function Reason({ why, team }: { readonly why: NonNullable<SeenRequest['why']>; readonly team: string }) {
  const { words, field, assumption, choice, promise, document, limit } = why
  return (
    <>
      {words}
      {field === undefined ? null : (
        <>
          {' '}
          Field: <code>{field}</code>.
        </>
      )}{' '}
      {assumption === undefined ? (
        <small>{promise === undefined ? (document ?? limit) : `Promise ${promise}`}</small>
      ) : (
        <a href={hrefOf(team, 'assumptions', assumption)}>
          {assumption}={choice}
        </a>
      )}
    </>
  )
}

function Content({ title, headers, body }: SeenRequest['sent'] & { readonly title: string }) {
  return (
    <section>
      <h2>{title}</h2>
      <Json value={body ?? 'No body'} />
      <details>
        <summary>Headers</summary>
        <Json value={headers} />
      </details>
    </section>
  )
}

/** Sends the request again, with the key of the shown team in place of the redacted credential. */
const repeat = (request: SeenRequest, team: string) =>
  act(async () => {
    const { headers, body } = repeatablePartsOf(request)
    const { apiKeys } = await sandbox.value.teams.get(team)
    const own = { 'x-api-key': apiKeys[0] ?? '', 'x-request-id': `${ownRequests}${crypto.randomUUID()}` }
    await fetch(request.url, {
      method: request.method,
      headers: { ...Object.fromEntries(headers), ...own },
      ...(body !== undefined && { body }),
    })
  }, 'Sent again; the answer is in the list with the requests of this console')
