import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assumeVariable, marksVariable, readMarks } from '../../shared/marks.ts'
import { type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { Ended, Runner } from './run-command.ts'

/** A sandbox that was started for the command. */
interface StartedSandbox {
  /** Its address and its credentials, as environment variables; undefined for what its world does not have. */
  readonly variables: Readonly<Record<string, string | undefined>>
  /** What was relied on, where nobody has chosen; undefined when nothing was asked. */
  relied(): ReadonlySet<AssumptionName> | undefined
  stop(): Promise<void>
}
export type StartSandbox = (options: {
  readonly world: string
  readonly assume: WrittenChoices
}) => Promise<StartedSandbox>

interface TrialOptions {
  readonly runner: Runner
  readonly startSandbox: StartSandbox
  readonly world: string
  /** What the command runs with anyway. */
  readonly env: NodeJS.ProcessEnv
  /** More names for variables: the name that the command knows, and ours. */
  readonly names: ReadonlyMap<string, string>
  readonly signal?: AbortSignal | undefined
}

interface Conditions {
  readonly assume: WrittenChoices
  /** In milliseconds. */
  readonly timeout: number
}

/** Runs the command once, with a new sandbox that made these choices. */
export async function tryOut(
  { runner, startSandbox, world, env, names, signal }: TrialOptions,
  { assume, timeout }: Conditions,
  marks?: string,
): Promise<Ended & { readonly relied: ReadonlySet<AssumptionName> | undefined }> {
  const sandbox = await startSandbox({ world, assume })
  try {
    const { variables } = sandbox
    const named = [...names].map(([name, ours]) => [name, variables[ours]] as const)
    const written = Object.entries(assume).map(([name, choice]) => `${name}=${choice}`)
    const carried = { [assumeVariable]: written.join(' '), [marksVariable]: marks }
    const all = { ...env, ...variables, ...Object.fromEntries(named), ...carried }
    const ended = await runner.run({ env: all, timeout, signal })
    return { ...ended, relied: sandbox.relied() }
  } finally {
    await sandbox.stop()
  }
}

/** The same, and what was relied on, also in sandboxes that the command itself has started. */
export async function tryAndWatch(options: TrialOptions, conditions: Conditions) {
  const marks = mkdtempSync(join(tmpdir(), 'crm-sandbox-marks-'))
  try {
    const { relied, ...ended } = await tryOut(options, conditions, marks)
    const ofOthers = readMarks(marks)
    const isUsed = relied !== undefined || ofOthers !== undefined
    const names = assumptionNames.filter((name) => relied?.has(name) === true || ofOthers?.has(name) === true)
    return { ...ended, relied: isUsed ? names : undefined }
  } finally {
    rmSync(marks, { recursive: true, force: true })
  }
}
