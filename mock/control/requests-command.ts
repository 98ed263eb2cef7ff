import type { Command } from 'commander'
import { painterFor } from '../../shared/command.ts'
import { withoutControls } from '../../shared/text.ts'
import { control, NothingAnswers, Refused, type RequestFilter, type SeenRequest } from './client.ts'
import { describeRequest, lineOf } from './print-request.ts'
import { asCurl, asTest, escapeInvisible } from './repeat-request.ts'

interface Flags extends RequestFilter {
  readonly url: string
  readonly follow?: true
  readonly last: string
  readonly json?: true
  readonly as?: string
}

const help = `
The control token, if the sandbox requires one, is read from CRM_SANDBOX_CONTROL_TOKEN. Secrets are never printed: a
request as curl or as a test reads the key from CRM_API_KEY.

Examples:
  $ crm-sandbox requests --refused
  $ crm-sandbox requests --follow --team demo
  $ crm-sandbox requests --assumed contactMatching --json
  $ crm-sandbox requests 5f1c9a2e-7 --as curl`

const forms: Readonly<Record<string, typeof asCurl>> = { curl: asCurl, test: asTest }

export function addRequests(program: Command): void {
  program
    .command('requests')
    .argument('[id]', 'one of them, in full')
    .description('Show the latest requests to a sandbox: why they were refused, and what they changed.')
    .option('--url <url>', 'where the sandbox is', process.env.CRM_SANDBOX_URL ?? 'http://127.0.0.1:4010')
    .option('--follow', 'go on showing new ones until the sandbox ends')
    .option('--refused', 'only those with an error status')
    .option('--team <id>', 'only those of a team')
    .option('--operation <id>', 'only those of an operation, such as createContact')
    .option('--status <status>', 'only those with a status, such as 404 or 4xx')
    .option('--assumed <name>', 'only those whose answer relied on an assumption')
    .option('--where <json>', 'only those with these values, such as {"email":"ada@example.com"}')
    .option('--last <number>', 'how many at most', '50')
    .option('--json', 'as JSON, one on each line')
    .option('--as <form>', 'one request as a curl line or as a test: curl or test')
    .addHelpText('after', help)
    .action(run)
}

async function run(id: string | undefined, { url, as, json, follow, last, ...filter }: Flags): Promise<void> {
  const form = as === undefined ? undefined : forms[as]
  if (as !== undefined && !form) throw new Error('--as must be curl or test.')
  if (form && id === undefined) throw new Error('--as needs the id of a request, such as 5f1c9a2e-7.')
  if (!URL.canParse(url)) throw new Error('--url must be a URL, such as http://127.0.0.1:4010.')
  const token = process.env.CRM_SANDBOX_CONTROL_TOKEN
  const { requests } = control({ url, ...(token === undefined ? {} : { token }) })
  const paint = painterFor(process.stdout.isTTY, process.env)
  const show = (request: SeenRequest, inWords: typeof lineOf) => {
    const text = form?.(request, url) ?? (json ? escapeInvisible(JSON.stringify(request)) : inWords(request, paint))
    process.stdout.write(`${text}\n`)
  }
  try {
    if (id !== undefined) {
      show(await requests.get(id), describeRequest)
      return
    }
    // Opened first, so that no request is missed between the two.
    const coming = follow ? requests.follow(filter) : undefined
    const first = coming?.next()
    first?.catch(() => undefined) // prevents an unhandled rejection; awaiting it still throws
    const before = await requests.find({ ...filter, last: Number(last) })
    const shown = new Set(before.map(keyOf))
    for (const request of before) show(request, lineOf)
    for (let next = await first; coming && next && !next.done; next = await coming.next())
      if (!shown.has(keyOf(next.value))) show(next.value, lineOf)
  } catch (error) {
    throw sentenceFor(error, id, url)
  }
}

const keyOf = ({ id, at, ms }: SeenRequest) => `${id} ${at} ${ms}`

function sentenceFor(error: unknown, id: string | undefined, url: string): unknown {
  if (error instanceof Refused && error.status === 404 && id !== undefined)
    return new Error(
      `There is no request ${withoutControls(id).slice(0, 130)} among the latest; list them without an id.`,
    )
  if (error instanceof Refused) return new Error(error.message.endsWith('?') ? error.message : `${error.message}.`)
  if (error instanceof NothingAnswers)
    return new Error(
      `Nothing answers at ${url}; start a sandbox with \`crm-sandbox serve\`, or name another with --url.`,
    )
  return error instanceof TypeError ? new Error(`The sandbox at ${url} has ended.`) : error
}
