import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Identifies a process, also after its process id is reused. */
export interface Process {
  readonly pid: number
  readonly host: string
  /** The process id namespace (Linux only): each container has its own. */
  readonly namespace?: string | undefined
  /** The boot id of the computer (Linux only). */
  readonly boot?: string | undefined
  /** The start time of the process (Linux only). */
  readonly began?: string | undefined
}

export function thisProcess(): Process {
  const { pid } = process
  return { pid, host: hostname(), namespace: namespaceId(), boot: bootId(), began: statusOf(pid)?.began }
}

/** False for a process on another computer or in another container. */
export const canBeSeen = ({ host, namespace }: Process) => host === hostname() && namespace === namespaceId()

/** A process that cannot be looked up counts as running. */
export function isRunning(other: Process): boolean {
  if (!canBeSeen(other)) return true
  const { pid, boot, began } = other
  if (boot !== bootId()) return false
  if (boot === undefined) return answers(pid)
  const status = statusOf(pid)
  return status?.began === began && status?.ended === false
}

function namespaceId(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return undefined
  }
}

const bootId = () => textOf('/proc/sys/kernel/random/boot_id')?.trim()

function statusOf(pid: number): { began: string | undefined; ended: boolean } | undefined {
  // The program name in brackets may contain any character.
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
