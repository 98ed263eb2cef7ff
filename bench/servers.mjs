// Starts servers on a core of their own and asks them as fast as they answer, from another core.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const here = (file) => fileURLToPath(new URL(file, import.meta.url))
const serverCore = '0'
const clientCore = '1'
const ticksPerSecond = 100

/** A server is a program of this folder that prints its address once it listens. */
export async function start(program, ...args) {
  const child = spawn('taskset', ['-c', serverCore, process.execPath, here(program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { url: line.trim(), pid: child.pid, stop: () => stopped(child) }
}

async function stopped(child) {
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

/** Requests answered for each second that the server's processor was busy; throws when any was not a success. */
export async function requestsPerCpuSecond(server, { path, script = 'get.lua', args = [], connections = 10, seconds = 2 }) {
  const before = cpuSeconds(server.pid)
  const wrk = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', here(script), server.url + path, '--', ...args]
  const { stdout } = await run('taskset', ['-c', clientCore, 'wrk', ...wrk])
  const busy = cpuSeconds(server.pid) - before
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${server.url}${path}: ${stdout}`)
  return requests / busy
}

function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)]
}
