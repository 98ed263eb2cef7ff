import type { Command } from 'commander'
import { type Paint, painterFor } from '../contracts/reports/paint.ts'
import { escapeInvisible, withoutControls } from '../lib/text.ts'
import { UserError } from '../lib/user-error.ts'
import { addOptions } from './command-options.ts'
import { number, onOff, text } from '../lib/option-schemas.ts'
import { asHar } from '../mock/control/as-har.ts'
import { version } from '../lib/version.ts'
import { control, Refused, type RequestFilter, type SeenRequest } from '../mock/testing/control-client.ts'
import { addressOf, addUrlOption, sentenceFor, tokenHelp } from './running-sandbox.ts'
import { asCurl, asTest } from '../mock/control/repeat-request.ts'
import { refusalInWords } from '../mock/control/request-in-words.ts'

interface Flags extends RequestFilter {
  readonly config?: string
  readonly url: string
  readonly ca?: string
  readonly follow?: true
  readonly all?: true
  readonly last: string
  readonly json?: true
  readonly as?: string
}

const help = `
${tokenHelp} Secrets are never printed: a
request as curl or as a test reads the key from CRM_API_KEY.

Examples:
  $ crm-sandbox requests --refused
  $ crm-sandbox requests --follow --team demo
  $ crm-sandbox requests --assumed contactMatching --json
  $ crm-sandbox requests 5f1c9a2e-7 --as curl
  $ crm-sandbox requests --last 1000 --as har > traffic.har`

const forms: Readonly<Record<string, typeof asCurl>> = { curl: asCurl, test: asTest }

export function addRequests(program: Command): void {
  const command = program
    .command('requests')
    .argument('[id]', 'the id of one request, to show it in full')
    .description('Show the latest requests to a sandbox: why they were refused, and what they changed.')
    .addHelpText('after', help)
    .action(run)
  addUrlOption(command)
  addOptions(command, {
    follow: onOff('also show new requests as they arrive, until the sandbox stops'),
    all: onOff('also those to the other servers on the same database'),
    refused: onOff('only those with an error status'),
    team: text('id', 'only those of a team'),
    operation: text('id', 'only those of an operation, such as createContact'),
    status: text('status', 'only those with a status, such as 404 or 4xx'),
    assumed: text('name', 'only those that relied on an assumption'),
    where: text('json', 'only those with these values, such as {"email":"ada@example.com"}'),
    last: number('the largest number of requests', { default: '50' }),
    json: onOff('print JSON, one request on each line'),
    as: text('form', 'print one request as a curl command or as a test, or all as an archive: curl, test or har'),
  })
}

async function run(
  id: string | undefined,
  { config, url, ca, as, json, follow, all, last, ...filter }: Flags,
): Promise<void> {
  const form = as === undefined ? undefined : forms[as]
  const isArchive = as === 'har'
  if (as !== undefined && !form && !isArchive)
    throw new UserError((nameOf) => `${nameOf('as')} must be curl, test or har.`)
  if (isArchive && follow)
    throw new UserError((nameOf) => `${nameOf('as')} har is one document: leave out ${nameOf('follow')}.`)
  if (all && follow)
    throw new UserError((nameOf) => `${nameOf('follow')} shows the requests to one server: leave out ${nameOf('all')}.`)
  if (form && id === undefined)
    throw new UserError((nameOf) => `${nameOf('as')} needs the id of a request, such as 5f1c9a2e-7.`)
  const { requests } = control(addressOf(url, ca))
  const paint = painterFor(process.stdout.isTTY, process.env)
  const show = (request: SeenRequest, inWords: typeof lineOf) => {
    const text = form?.(request, url) ?? (json ? escapeInvisible(JSON.stringify(request)) : inWords(request, paint))
    process.stdout.write(`${text}\n`)
  }
  const scope = all ? { all } : {}
  const find = async () => {
    const found = await requests.find({ ...filter, ...scope, last: Number(last) })
    for (const name of found.unanswered ?? [])
      process.stderr.write(`The server ${plain(name)} did not answer in time.\n`)
    return found
  }
  try {
    if (isArchive) {
      const found = id === undefined ? await find() : [await requests.get(id, scope)]
      process.stdout.write(`${asHar(found, url, version)}\n`)
      return
    }
    if (id !== undefined) {
      show(await requests.get(id, scope), describeRequest)
      return
    }
    // Opened first, so that no request is missed between the two.
    const coming = follow ? requests.follow(filter) : undefined
    const first = coming?.next()
    first?.catch(() => undefined) // prevents an unhandled rejection; awaiting it still throws
    const before = await find()
    const shown = new Set(before.map(keyOf))
    for (const request of before) show(request, lineOf)
    if (before.length === 0 && !json) process.stderr.write(nothingFound(filter, url))
    for (let next = await first; coming && next && !next.done; next = await coming.next())
      if (!shown.has(keyOf(next.value))) show(next.value, lineOf)
  } catch (error) {
    throw error instanceof Refused && error.status === 404 && id !== undefined && !all
      ? new UserError(`There is no request ${plain(id, 130)} among the latest; list them without an id.`)
      : sentenceFor(error, url)
  }
}

const nothingFound = (filter: RequestFilter, url: string) =>
  Object.keys(filter).length > 0
    ? `No such request has reached the sandbox at ${url} yet.\n`
    : `No request has reached the sandbox at ${url} yet.\n`

const keyOf = ({ id, at, ms }: SeenRequest) => `${id} ${at} ${ms}`

/** A request in columns; for one that was refused, a second line says why. */
export function lineOf(request: SeenRequest, paint: Paint): string {
  const { at, status, operation, method, url, team = '-', ms, changed, id, server = '', cutOff, failure = '' } = request
  const columns = [
    paint(at.slice(11, 23), 'grey'),
    paint(String(status).padStart(3), status >= 500 || status === 0 ? 'red' : status >= 400 ? 'yellow' : 'green'),
    plain(operation ?? `${method} ${url}`, 28).padEnd(28),
    plain(team, 24).padEnd(24), // as long as the ids that the sandbox gives
    `${Math.round(ms)} ms`.padStart(7),
    paint(plain(id, 40), 'grey'),
    server && paint(plain(server, 60), 'grey'),
    changed && paint(plain(changed, 100), 'green'),
    cutOff ? paint('cut off', 'yellow') : '',
    failure && paint(plain(failure, 100), 'yellow'),
  ]
  const line = columns.filter((column) => column !== '').join('  ')
  return [line, ...refusalInWords(request).map((note) => `${' '.repeat(14)}${plain(note, 300)}`)].join('\n')
}

/** All of a request and its answer. */
export function describeRequest(request: SeenRequest, paint: Paint): string {
  const { method, url, status, sent, answered, assumed, learned, why } = request
  const parts = [
    lineOf(request, paint),
    `${paint(`${plain(method)} ${plain(url)}`, 'bold')}\n${partInWords(sent)}`,
    `${paint(String(status), 'bold')}\n${partInWords(answered)}`,
    assumed.length > 0 && `Relied on: ${plain(assumed.join(', '))}`,
    learned.length > 0 && `Learned: ${plain(learned.join(', '))}`,
    why && `Why: ${plain(why.words)}`,
  ]
  return parts.filter((part) => typeof part === 'string').join('\n\n')
}

function partInWords({ headers, body, cut }: SeenRequest['sent']): string {
  const head = Object.entries(headers).map(([name, value]) => plain(`${name}: ${value}`))
  const text = body === undefined ? [] : [plainLines(typeof body === 'string' ? body : JSON.stringify(body, null, 2))]
  const rest = cut ? [`… cut; the whole has ${cut.length} characters`] : []
  return [...head, ...text, ...rest].join('\n')
}

/** On one line, and nothing in it that a terminal would act on. */
function plain(text: string, most = 2_000): string {
  const short = text.length > most ? `${text.slice(0, most - 1)}…` : text
  return plainLines(short).replaceAll('\n', '?')
}

const plainLines = (text: string) => withoutControls(text).replace(/[\p{Zl}\p{Zp}]/gu, '?')
