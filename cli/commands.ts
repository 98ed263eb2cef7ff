import { Command } from 'commander'
import { addCoverage } from './coverage.ts'
import { addExec } from './exec.ts'
import { addCtl } from './ctl.ts'
import { addRequests } from './requests.ts'
import { applyConfig, messageFor } from './config/config-file.ts'
import { addMcp } from './mcp.ts'
import { addInit } from './init.ts'
import { addVerify } from './verify.ts'
import { missingFor } from '../contracts/optional-packages.ts'
import { addSeed } from './seed.ts'
import { addWorld } from './world.ts'
import { addLearn } from './learn.ts'
import { addCompare } from './compare.ts'
import { addSweep } from './sweep/command.ts'
import { addObserve } from './observe.ts'
import { misspeltVariables, options, readSettings, type Written } from './options.ts'
import { version } from '../lib/version.ts'
import { addConfigOption, addOptions } from './command-options.ts'
import { onOff } from '../lib/option-schemas.ts'
import { fileError } from '../lib/files.ts'
import { withoutControls } from '../lib/text.ts'
import { UserError } from '../lib/user-error.ts'

export const program = new Command('crm-sandbox')
  .description('A mock server for the CRM Integrator REST API, and a contract suite for any server.')
  .version(version)
  .enablePositionalOptions() // so that `sweep npm --version` passes `--version` to npm
  .configureOutput({
    outputError: (text, write) => write(oneLine(text)),
  })
  .addHelpText('after', examples('crm-sandbox serve', 'crm-sandbox assumptions contactMatching'))
  .hook('preAction', async (_, command) => {
    for (const sentence of misspeltVariables(process.env)) process.stderr.write(oneLine(sentence))
    // The verbs of `ctl` have the names of other commands.
    const missing = command.parent === program ? missingFor(command.name()) : undefined
    if (missing !== undefined) command.error(`error: ${missing}`)
    await applyConfig(command, program)
  })

program.commandsGroup('Run it:')
const serve = program
  .command('serve')
  .description('Start a sandbox, and run it until SIGINT or SIGTERM.')
  .addHelpText(
    'after',
    `\nEach option has an environment variable. A flag has precedence over its variable, and the variable over the config file.\n${examples(
      'crm-sandbox serve --port 0 --world two-teams',
      'crm-sandbox serve --store file:./crm.json --assume contactMatching=phoneThenEmail',
      'crm-sandbox serve --public --allow-host crm.test --log',
    )}`,
  )
  .action(async (flags: Written) => {
    const settings = readSettings(flags, process.env)
    const { serve } = await import('./serve.ts')
    await serve(settings)
  })
addOptions(serve, options)

addExec(program)
addCtl(program)
addRequests(program)
addCoverage(program)
addMcp(program)
const assumptions = program
  .command('assumptions')
  .argument('[name]', 'the name of one assumption')
  .description('Print the questions that the specification leaves open, with the choices and the assumed one.')
  .addHelpText('after', examples('crm-sandbox assumptions', 'crm-sandbox assumptions keyScope --json'))
  .action(async (name: string | undefined, { json = false }: { json?: boolean }) => {
    const { printAssumptions } = await import('../spec/register-in-words.ts')
    process.stdout.write(printAssumptions(name, json))
  })
addOptions(assumptions, { json: onOff('print JSON') })
addInit(program)
program
  .command('help')
  .argument('[command...]', 'a command, and for ctl the noun and the verb')
  .description('Display the help of a command.')
  // As the flag does: the nouns of ctl are added when it is parsed.
  .action(async (words: readonly string[]) => {
    await program.parseAsync([...words, '--help'], { from: 'user' })
  })

program.commandsGroup('Fill it:')
addWorld(program)
addSeed(program)

program.commandsGroup('Check with it:')
const own = () => import('./own-target.ts')
const startOwnTarget = async () => (await own()).startOwnTarget()
addVerify(program, startOwnTarget)
addLearn(program, startOwnTarget, version)
addCompare(
  program,
  async (profile) => (await own()).startWithProfile(profile),
  async (...input) => (await own()).startComparedSandbox(...input),
)
addSweep(program, async (options) => (await own()).startForTests(options))

addObserve(program)

addConfigOption(program)

/** Runs the command of this process. */
export function run(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`error: ${fileError('The output', 'written', error)}.\n`)
    process.exit(2)
  })
  program.parseAsync().catch((error: unknown) => {
    // Bugs show their stack; user errors are one sentence, or one line for each problem of a world.
    if (!(error instanceof Error) || isBug(error)) throw error
    const command = program.commands.find((one) => one.name() === program.args[0]) ?? program
    const message = error instanceof UserError ? messageFor(error, command) : error.message
    const [first = '', ...others] = message.split('\n')
    if (others.length === 0) program.error(`error: ${first}`)
    process.stderr.write(oneLine(`error: ${first}`) + others.map(oneLine).join(''))
    process.exitCode = 1
  })
}

const isBug = (error: Error) => [TypeError, ReferenceError, RangeError].some((kind) => error instanceof kind)

function examples(...lines: string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  $ ${line}`)].join('\n')
}

/** One line without control characters. */
function oneLine(text: string): string {
  return `${withoutControls(text.trim().replace(/\s*\n\s*/g, ' '))}\n`
}
