import { rmSync } from 'node:fs'
import type { Command } from 'commander'
import { painterFor } from '../contracts/reports/paint.ts'
import { file, onOff, type ValuesOf } from '../lib/option-schemas.ts'
import { plainLines } from '../lib/text.ts'
import { coverageInText } from '../mock/control/coverage-in-words.ts'
import type { Sandbox } from '../mock/create-sandbox.ts'
import { endMisuse, runCommand } from './command.ts'
import { addOptions } from './command-options.ts'
import { writeMarkdown } from './coverage.ts'
import { onEndOfNpm } from './npm.ts'
import { options, readSettings, type Written } from './options.ts'
import { lineOf } from './requests.ts'
import { otherNames, readNames } from './sweep/command.ts'

const { open, printJson, drain, port, ...ofServe } = options
const ofSandbox = { port: { ...port, default: 0 }, ...ofServe }

const schemas = {
  env: otherNames,
  coverage: onOff('also print which operations and outcomes the requests covered'),
  markdown: file('write the coverage as a table, for the summary of a CI job'),
}

const names = [
  ...['CRM_BASE_URL', 'CRM_API_KEY', 'CRM_OTHER_API_KEY', 'CRM_ADMIN_TOKEN', 'CRM_AGENT_TOKEN'],
  ...['CRM_SANDBOX_URL', 'CRM_SANDBOX_CONTROL_TOKEN', 'CRM_CA_FILE'],
]

const help = `
The sandbox listens on a free port and takes the options of serve. The command gets these variables:
  CRM_BASE_URL, CRM_SANDBOX_URL        the address of the sandbox
  CRM_API_KEY                          the key of its first team
  CRM_OTHER_API_KEY                    the key of a second team, if the world has one (two-teams)
  CRM_ADMIN_TOKEN, CRM_AGENT_TOKEN     bearer tokens of the first team
  CRM_SANDBOX_CONTROL_TOKEN            the token of the control plane, if it needs one
  CRM_CA_FILE                          with --https, the certificate that clients must trust

The command runs without a shell; only a single text, such as 'npm run build && npm test', runs in a shell. Signals are passed to it.
If it fails, the requests that the sandbox refused are printed, with the reasons.

Exit codes: the exit code of the command, 128 plus the number of the signal that ended it, or 2 if it or the sandbox could not start.

Examples:
  $ crm-sandbox exec -- npm test
  $ crm-sandbox exec --world two-teams --seed 1 --coverage -- pytest -q
  $ crm-sandbox exec --env CRM_BASE_URL=API_ROOT --env CRM_API_KEY=API_TOKEN -- go test ./...`

/** Adds the command `exec`. */
export function addExec(program: Command): void {
  const command = program
    .command('exec')
    .argument('[command...]', 'the command, with its options')
    .description('Run a command, such as your tests, with a new sandbox that ends with it.')
    .addHelpText('after', help)
    .passThroughOptions()
    .action((words: readonly string[], flags: Flags) => runCommand(command, () => run(words, flags)))
  addOptions(command, { ...ofSandbox, ...schemas })
  endMisuse(command)
}

type Flags = Written & ValuesOf<typeof schemas>

const gracePeriod = 5_000 // milliseconds

async function run(words: readonly string[], flags: Flags): Promise<number> {
  const [{ start }, { variablesOf }, { readCommand, runCommand }] = await Promise.all([
    import('./serve.ts'),
    import('./own-target.ts'),
    import('./sweep/run-command.ts'),
  ])
  const line = readCommand(words, 'exec')
  const named = readNames(flags.env, names)
  const { sandbox, ca } = await start(readSettings(flags, process.env, ofSandbox))
  try {
    const variables: NodeJS.ProcessEnv = {
      ...(await variablesOf(sandbox)),
      CRM_SANDBOX_URL: sandbox.url,
      CRM_SANDBOX_CONTROL_TOKEN: sandbox.controlToken,
      CRM_CA_FILE: ca,
    }
    const yours = Object.fromEntries([...named].map(([name, ours]) => [name, variables[ours]]))
    const env = { ...process.env, ...variables, ...yours }
    const ended = await runCommand(line, { env, signal: signalToPass(), gracePeriod, inherits: true })
    if (ended.wasKilled)
      process.stderr.write(`The command ignored the signal for ${gracePeriod / 1_000} s, and was killed.\n`)
    if (!ended.passed) process.stderr.write(await whatWasRefused(sandbox))
    if (flags.coverage) process.stderr.write(`${plainLines(coverageInText(await sandbox.coverage()))}\n`)
    if (flags.markdown !== undefined) writeMarkdown(flags.markdown, await sandbox.coverage())
    return ended.exitCode
  } finally {
    if (ca !== undefined) rmSync(ca, { force: true })
    await sandbox.close()
  }
}

/** Aborts with the first signal, or at the end of the npm that started this process. The second signal ends all at once. */
function signalToPass(): AbortSignal {
  const controller = new AbortController()
  const pass = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(1)
    controller.abort(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, pass)
  onEndOfNpm(() => controller.abort('SIGTERM'))
  return controller.signal
}

async function whatWasRefused({ requests }: Sandbox): Promise<string> {
  if ((await requests.count({})) === 0)
    return 'No request reached the sandbox: the command finds its address in CRM_BASE_URL (other names: --env).\n'
  const refused = await requests.find({ refused: true, last: 50 })
  const paint = painterFor(process.stderr.isTTY, process.env)
  const lines = refused.map((request) => `${lineOf(request, paint)}\n`)
  return refused.length === 0 ? 'The sandbox refused no request.\n' : ['The sandbox refused:\n', ...lines].join('')
}
