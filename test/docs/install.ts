import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A program with its arguments. */
export type Command = readonly [program: string, ...args: string[]]

interface RunOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
}

/** Runs a program, and returns its output; throws the output if the program fails. */
export async function run([program, ...args]: Command, { cwd, env = process.env }: RunOptions): Promise<string> {
  const options = { cwd, env, maxBuffer: 64 * 1024 * 1024, timeout: 10 * 60_000 }
  const { stdout } = await promisify(execFile)(program, args, options).catch((failure: unknown) => {
    const { stdout = '', stderr = '' } = failure as { stdout?: string; stderr?: string }
    throw new Error([`${program} ${args.join(' ')} failed`, stdout.slice(-8000), stderr.slice(-8000)].join('\n'))
  })
  return stdout
}

/** Installs tools into a folder once for each version; returns the reason if that fails, such as no network. */
export async function installOnce(commands: readonly Command[], version: string, options: RunOptions) {
  const stamp = join(options.cwd, '.installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return undefined
  mkdirSync(options.cwd, { recursive: true })
  try {
    for (const command of commands) await run(command, options)
  } catch (error) {
    return `the installation failed (${String(error).trim().split('\n').at(-1) ?? ''})`
  }
  writeFileSync(stamp, version)
  return undefined
}
