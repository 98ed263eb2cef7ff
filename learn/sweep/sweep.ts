import { CannotRun } from '../../client/errors.ts'
import { namesBeginningWith, type WrittenChoices } from '../../spec/choices.ts'
import { assumption, type AssumptionName, type Meaning } from '../../spec/assumptions.ts'
import { type SweepProgress, type SweepReport, toReport } from './report.ts'
import {
  commandInWords,
  type Ended,
  type OtherChoice,
  readCommand,
  Runner,
  type StartSandbox,
  type Tried,
  tryAndWatch,
  tryOut,
} from './trial.ts'

export interface SweepOptions {
  /** The command and its arguments; a single text may be a line for a shell. */
  readonly command: readonly string[]
  readonly startSandbox: StartSandbox
  /** The initial data of the sandboxes. */
  readonly world: string
  /** Choices in force in every run; these entries are left out. */
  readonly profile: WrittenChoices
  /** Names of entries, or beginnings of names; all by default. */
  readonly only?: readonly string[] | undefined
  readonly atOnce: number
  /** Whether the first choice with which the command fails ends the run. */
  readonly bail?: boolean | undefined
  /** How long a run of the command may take, in milliseconds. */
  readonly timeout?: number | undefined
  readonly env: NodeJS.ProcessEnv
  readonly names: ReadonlyMap<string, string>
  readonly signal?: AbortSignal | undefined
  readonly progress?: SweepProgress | undefined
}

const tenMinutes = 10 * 60_000

/** Runs the command with each other choice of each entry that it relies on, and reports with which it fails. */
export async function sweep(options: SweepOptions): Promise<SweepReport> {
  const { command, profile, only, progress, signal, timeout } = options
  const line = readCommand(command)
  const selected = namesBeginningWith(only)
  const runner = new Runner(line)
  const killAll = () => {
    runner.killAll()
  }
  process.once('exit', killAll)
  const startedAt = new Date()
  const words = commandInWords(line)
  progress?.began(words)
  try {
    const trial = { ...options, runner }
    const watch = () => tryAndWatch(trial, { assume: profile, timeout: timeout ?? tenMinutes })
    const { seconds, relied } = await runTwice(watch, signal)
    const swept = relied.filter((name) => selected.includes(name) && profile[name] === undefined)
    const choices = otherChoices(swept)
    progress?.passed(seconds, swept, choices.length)
    const usually = Math.max(30_000, 10 * seconds * 1_000)
    const tried = await tryAll(choices, seconds, options, ({ name, choice }) =>
      tryOut(trial, { assume: { ...profile, [name]: choice }, timeout: timeout ?? usually }),
    )
    return toReport({ command: words, startedAt, swept, choices, tried, isInterrupted: signal?.aborted ?? false })
  } finally {
    process.off('exit', killAll)
  }
}

/** Throws, unless the command passes twice as it is. */
async function runTwice(run: () => ReturnType<typeof tryAndWatch>, signal: AbortSignal | undefined) {
  const first = await run()
  if (signal?.aborted) throw new CannotRun('Interrupted before the command had passed')
  if (!first.passed && first.how.startsWith('timed out')) throw failing(first)
  const second = await run()
  if (signal?.aborted) throw new CannotRun('Interrupted before the command had passed')
  if (!first.passed && !second.passed) throw failing(second)
  if (!first.passed || !second.passed) throw flaky(first, second)
  const relied = [...new Set([...(first.relied ?? []), ...(second.relied ?? [])])]
  if (first.relied === undefined && second.relied === undefined) {
    throw new CannotRun(
      'The command passes, but it has asked no sandbox: let its tests ask the address in CRM_BASE_URL (other names: ' +
        '--env), or start one with createSandbox.',
    )
  }
  return { seconds: (first.seconds + second.seconds) / 2, relied }
}

/** The command cannot be used; what it printed says why. */
export class CommandFails extends CannotRun {
  readonly output: string

  constructor(sentence: string, output: string) {
    super(sentence)
    this.output = output
  }
}

const failing = ({ how, output }: Ended) =>
  new CommandFails(`The command fails as it is (${how}), so no guess can be told from another.`, output)

function flaky(first: Ended, second: Ended): CommandFails {
  const words = ({ passed, how }: Ended) => (passed ? 'passed' : `failed (${how})`)
  return new CommandFails(
    `The command is flaky: at first it ${words(first)}, and run again it ${words(second)}; it must pass every time.`,
    first.passed ? second.output : first.output,
  )
}

/**
 * A failure beside other runs may be their doing, such as a port that is taken: the command must fail alone as well.
 */
async function tryAll(
  choices: readonly OtherChoice[],
  usualSeconds: number,
  { atOnce, bail = false, signal, progress }: SweepOptions,
  run: (choice: OtherChoice) => Promise<Ended>,
): Promise<readonly Tried[]> {
  const tried: Tried[] = []
  const doubtful: OtherChoice[] = []
  let seconds = usualSeconds
  const settle = (one: Tried) => {
    tried.push(one)
    seconds += (one.seconds - seconds) / (tried.length + 1)
    progress?.tried(one, tried.length, ((choices.length - tried.length) * seconds) / atOnce)
  }
  const isOver = () => signal?.aborted === true || (bail && tried.some(({ passed }) => !passed))
  let waiting = choices
  while (waiting.length > 0 && !isOver()) {
    const isAlone = atOnce === 1 || waiting.length === 1
    const work = async (choice: OtherChoice) => {
      const ended = await run(choice)
      if (signal?.aborted) return
      if (ended.passed || isAlone) settle({ ...choice, ...ended })
      else doubtful.push(choice)
    }
    waiting = await workInLanes(waiting, atOnce, work, () => !isOver() && !(bail && doubtful.length > 0))
    for (const choice of doubtful.splice(0)) {
      if (isOver()) break
      const ended = await run(choice)
      if (signal?.aborted !== true) settle({ ...choice, ...ended })
    }
  }
  return tried
}

/** Works on items, so many at once, as long as `goesOn`; returns those that it has not begun. */
export async function workInLanes<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<void>,
  goesOn: () => boolean,
): Promise<readonly Item[]> {
  const waiting = [...items]
  const workInLane = async () => {
    while (goesOn()) {
      const item = waiting.shift()
      if (item === undefined) return
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, workInLane))
  return waiting
}

/** Each choice of these entries but the one that is assumed. */
function otherChoices(names: readonly AssumptionName[]): readonly OtherChoice[] {
  return names.flatMap((name) => {
    const { choices, assumed } = assumption(name)
    const others = Object.entries(choices).filter(([choice]) => choice !== assumed)
    return others.map(([choice, meaning]) => ({ name, choice: write(choice, meaning) }))
  })
}

/** A delay is long enough to be noticed, and short enough for tests that wait until something is there. */
function write(choice: string, meaning: Meaning): string {
  if (typeof meaning === 'string') return choice
  const { unit, usual } = meaning.amount
  return `${choice}:${unit === 'milliseconds' ? 1_000 : usual}`
}
