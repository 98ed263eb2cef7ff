import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Identifies a process, so that a later process with the same number is not mistaken for it. */
export interface Process {
  readonly pid: number
  readonly host: string
  /** Identifies the boot of the computer, where that is known. */
  readonly boot: string | undefined
  /** When the process began, where that is known. */
  readonly began: string | undefined
}

export function thisProcess(): Process {
  const { pid } = process
  return { pid, host: hostname(), boot: bootId(), began: statusOf(pid)?.began }
}

/** A process on another computer, or in another container, counts as running, since it cannot be looked up. */
export function isRunning({ pid, host, boot, began }: Process): boolean {
  if (host !== hostname()) return true
  if (boot !== bootId()) return false
  if (boot === undefined) return answers(pid)
  const status = statusOf(pid)
  return status?.began === began && status?.ended === false
}

const bootId = () => textOf('/proc/sys/kernel/random/boot_id')?.trim()

function statusOf(pid: number): { began: string | undefined; ended: boolean } | undefined {
  // The name of the program stands in brackets and may contain anything.
  const [state = '', ...fields] =
    textOf(`/proc/${pid}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ') ?? []
  return state === '' ? undefined : { began: fields[18], ended: state === 'Z' || state === 'X' }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function answers(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
