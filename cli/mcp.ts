import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/server'
import type { Command } from 'commander'
import { withoutControls } from '../lib/text.ts'
import { version } from '../lib/version.ts'
import { readOption } from '../lib/user-error.ts'
import type { Sandbox } from '../mock/create-sandbox.ts'
import { type Address, ask, NothingAnswers } from '../mock/testing/control-requests.ts'
import { addOptions } from './command-options.ts'
import { text } from '../lib/option-schemas.ts'
import { addressOf, addUrlOption, sentenceFor, tokenHelp } from './running-sandbox.ts'

const help = `
An assistant starts this command, and calls its tools: they read what the sandbox holds and what it refused, and steer it. Where
no sandbox runs at the URL, on this machine, the command starts one there, and ends it with the assistant; port 0 is a free port.
${tokenHelp}

Examples:
  $ crm-sandbox mcp
  $ crm-sandbox mcp --world story:shop
  $ crm-sandbox mcp --url http://127.0.0.1:4020

In the settings of an assistant:
  { "mcpServers": { "crm-sandbox": { "command": "npx", "args": ["crm-sandbox", "mcp"] } } }`

export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description('Offer a sandbox to a coding assistant, by the Model Context Protocol on stdin and stdout.')
    .addHelpText('after', help)
    .action(run)
  addUrlOption(command)
  addOptions(command, {
    world: text('name or file', 'the world of the sandbox that the command starts', {
      default: 'demo',
      format: 'nameOrPath',
    }),
  })
}

interface Flags {
  readonly url: string
  readonly ca?: string
  readonly world: string
}

async function run({ url: wanted, ca, world }: Flags): Promise<void> {
  const own = await startUnlessRunning(addressOf(wanted, ca), world)
  const url = own?.url ?? wanted
  const started = own && `A new sandbox with the world ${world} runs at ${url}, since nothing answered at ${wanted}.`
  if (started !== undefined) process.stderr.write(`${withoutControls(started)}\n`)
  const [{ McpServer, fromJsonSchema }, { serveStdio }, { tools, instructionsFor }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
    import('./mcp-tools.ts'),
  ])
  let calls = 0
  const connection = serveStdio(() => {
    const server = new McpServer({ name: 'crm-sandbox', version }, { instructions: instructionsFor(url, started) })
    for (const { name, inputSchema, call, ...about } of tools(started))
      server.registerTool(
        name,
        { ...about, inputSchema: fromJsonSchema<Readonly<Record<string, unknown>>>(inputSchema, anyInput) },
        async (input) => {
          calls++
          try {
            return { content: [{ type: 'text', text: await call(addressOf(url, ca), input) }] }
          } catch (error) {
            const known = sentenceFor(error, url)
            return { content: [{ type: 'text', text: (known as Error).message }], isError: true }
          } finally {
            calls--
          }
        },
      )
    return server
  })
  const stop = async () => {
    await connection.close()
    await own?.close()
  }
  process.stdin.once('end', () => void stop())
  process.stdout.setMaxListeners(0) // one for each answer that waits
  const readOn = () => {
    if (calls < mostCalls && !process.stdout.writableNeedDrain) process.stdin.resume()
    else setTimeout(readOn, 10)
  }
  let length = 0
  process.stdin.on('data', (chunk: Buffer) => {
    process.stdin.pause()
    setImmediate(readOn)
    const end = chunk.lastIndexOf('\n')
    length = end < 0 ? length + chunk.length : chunk.length - end - 1
    if (length <= longestMessage) return
    process.stderr.write('error: A message of the assistant is longer than 8 MB, or does not end with a line feed.\n')
    process.exitCode = 1
    process.stdin.destroy()
    void stop()
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop())
}

/** More wait on stdin, as they do while the assistant reads no answers. */
const mostCalls = 100

/** In bytes. The transport ends without a word at a longer one. */
const longestMessage = 8_000_000

/** The tools and the control plane refuse a wrong input in plain words. */
const anyInput: jsonSchemaValidator = {
  getValidator<Input>(): JsonSchemaValidator<Input> {
    return (input) => ({ valid: true, data: input as Input, errorMessage: undefined })
  },
}

/** Starts a sandbox at a URL of this machine where nothing answers. */
async function startUnlessRunning(address: Address, world: string): Promise<Sandbox | undefined> {
  const { protocol, hostname: host, port } = new URL(address.url)
  try {
    await ask(address, 'GET /teams', [])
    return undefined
  } catch (error) {
    if (!(error instanceof NothingAnswers) || protocol !== 'http:' || !['127.0.0.1', 'localhost'].includes(host))
      throw sentenceFor(error, address.url)
  }
  const [{ loadWorld }, { createSandbox }, { marksFor }] = await Promise.all([
    import('../fixtures/load-world.ts'),
    import('../mock/create-sandbox.ts'),
    import('./marks.ts'),
  ])
  const loaded = await readOption('world', () => loadWorld(world))
  return createSandbox({ host, port: Number(port || 80), world: loaded }, marksFor(process.env), world)
}
