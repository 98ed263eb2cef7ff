import type { OperationId } from '../spec/types.ts'
import { type Caller, credentialHeader, variables } from './target/credentials.ts'
import type { Incoming, Outgoing } from './transport.ts'
import { quoteForShell } from '../shared/text.ts'

/** A request without its credential, and the answer if there was one. */
export interface Exchange {
  readonly operation: OperationId
  readonly caller: Caller
  readonly request: Outgoing
  readonly incoming?: Incoming
}

/** The request as a line for a shell, with credentials as variables. */
export function toCurl({ request, caller }: Exchange): string {
  const { method, url, headers, body } = request
  const credential = credentialHeader(caller, (who) => `$${variables[who]}`)
  const parts = formParts(request)
  const command = [
    `curl -sS -X ${method} ${quoteForShell(url)}`,
    ...(credential ? [`-H ${quoteWithVariables(credential.join(': '))}`] : []),
    ...Object.entries(headers)
      .filter(([name]) => parts === undefined || name !== 'content-type')
      .map((header) => `-H ${quoteForShell(header.join(': '))}`),
    ...(parts ?? (body ? [`--data-binary ${quoteForShell(body.toString())}`] : [])),
  ].join(' ')
  const file = parts && fileIn(request)
  return file ? `printf %s ${file.toString('base64')} | base64 -d | ${command}` : command
}

/** The parts of a form as curl takes them; a file is read from standard input. */
function formParts(request: Outgoing): string[] | undefined {
  return partsOf(request)?.map(({ head, content }) => {
    const name = /\bname="([^"]*)"/.exec(head)?.[1] ?? ''
    const file = /\bfilename="([^"]*)"/.exec(head)?.[1]
    const type = /content-type: *([^\r\n]+)/i.exec(head)?.[1] ?? 'application/octet-stream'
    return file === undefined
      ? `--form-string ${quoteForShell(`${name}=${content.toString()}`)}`
      : `-F ${quoteForShell(`${name}=@-;filename=${file};type=${type}`)}`
  })
}

const fileIn = (request: Outgoing) => partsOf(request)?.find(({ head }) => /\bfilename=/.test(head))?.content

function partsOf({ headers, body }: Outgoing): { head: string; content: Buffer }[] | undefined {
  const [, boundary] = /^multipart\/form-data; *boundary=(.+)$/.exec(headers['content-type'] ?? '') ?? []
  if (boundary === undefined || !body) return undefined
  const sections = body.toString('latin1').split(`--${boundary}`).slice(1, -1)
  return sections.map((section) => {
    const end = section.indexOf('\r\n\r\n')
    const [head, content] = [section.slice(2, end), section.slice(end + 4, -2)]
    return { head: Buffer.from(head, 'latin1').toString(), content: Buffer.from(content, 'latin1') }
  })
}

/** In double quotes, so that the shell fills in our variables and nothing else. */
const quoteWithVariables = (text: string) => `"${text.replace(/["\\`]|\$(?!CRM_)/g, '\\$&')}"`
