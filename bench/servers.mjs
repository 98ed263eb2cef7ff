// Starts servers on one core and runs the load generator on another.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const here = (file) => fileURLToPath(new URL(file, import.meta.url))
const serverCore = '0'
const clientCore = '1'

/** A server is a program of this folder that prints its address once it listens. */
export const start = (program, ...args) =>
  spawnServer('taskset', '-c', serverCore, process.execPath, here(program), ...args)

/** Without a fixed core: on one core, the garbage collector would slow the server down. */
export const startAnywhere = (program, ...args) => spawnServer(process.execPath, here(program), ...args)

/** Its young generation is so large that a measurement of a second or two collects no garbage. */
export const startWithoutCollections = (program, ...args) => {
  const flags = ['--min-semi-space-size=1024', '--max-semi-space-size=1024', '--import', here('report-heap.mjs')]
  return spawnServer('taskset', '-c', serverCore, process.execPath, ...flags, here(program), ...args)
}

/** Runs a program of this folder, and returns its output. */
export async function output(program, ...args) {
  const { stdout } = await run('taskset', ['-c', serverCore, process.execPath, here(program), ...args])
  return stdout
}

async function spawnServer(command, ...args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { url: line.trim(), pid: child.pid, stop: () => stop(child), heapUsed: () => heapUsed(child) }
}

async function heapUsed(child) {
  child.send('heapUsed')
  const [bytes] = await once(child, 'message')
  return bytes
}

async function stop(child) {
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

/** On a busy machine, a server needs several seconds to use as much as an idle one gives it in one. */
const leastCpuSeconds = 0.8

/** Requests answered for each second that a processor was busy with the server, of all its threads. */
export async function requestsPerCpuSecond(server, load) {
  const before = cpuSeconds(server.pid)
  let [answered, busy] = [0, 0]
  while (busy < leastCpuSeconds) {
    answered += (await ask(server, load)).requests
    busy = cpuSeconds(server.pid) - before
  }
  return answered / busy
}

/** Of a server that startWithoutCollections has started. */
export async function bytesPerRequest(server, load) {
  const before = await server.heapUsed()
  const { requests } = await ask(server, load)
  return ((await server.heapUsed()) - before) / requests
}

/** By wall-clock time, for servers that wait for a disk. */
export async function requestsPerSecond(server, load) {
  const { requests, seconds } = await ask(server, load)
  return requests / seconds
}

/** Of several servers, each asked by its own clients. */
export async function requestsPerSecondOfAll(servers, { connections, ...load }) {
  const each = { ...load, connections: connections / servers.length }
  const rates = await Promise.all(servers.map((server) => requestsPerSecond(server, each)))
  return rates.reduce((sum, rate) => sum + rate, 0)
}

/** Holds a server to a fraction of a core: stops it whenever it has used more. Returns the function that ends this. */
export function holdTo(fraction, { pid }) {
  let [since, used, isStopped] = [performance.now(), cpuSeconds(pid), false]
  const timer = setInterval(() => {
    const [now, busy] = [performance.now(), cpuSeconds(pid)]
    const isOver = busy - used > (fraction * (now - since)) / 1000
    if (isOver !== isStopped) process.kill(pid, isOver ? 'SIGSTOP' : 'SIGCONT')
    isStopped = isOver
    // A second without work gives no right to a second of more.
    if (now - since > 1000) [since, used] = [now, Math.min(busy, used + (fraction * (now - since)) / 1000)]
  }, 2)
  return () => {
    clearInterval(timer)
    process.kill(pid, 'SIGCONT')
  }
}

/** Ends with its parent, whatever ends that. */
const busyWork = `process.on('disconnect', process.exit); setInterval(() => { for (let count = 0; count < 1e8; count++); })`

/** Keeps both cores busy with other processes while the work runs. */
export async function whileBusy(work) {
  const others = [serverCore, clientCore].map((core) =>
    spawn('taskset', ['-c', core, process.execPath, '-e', busyWork], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
  )
  try {
    await work()
  } finally {
    for (const other of others) other.kill()
  }
}

/** Throws when a response was not a success. */
async function ask({ url }, { workload, records = 1000, connections = 10, seconds = 1 }) {
  const wrk = [
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '-s',
    here('load.lua'),
    url,
    '--',
    workload,
    `${records}`,
  ]
  const { stdout } = await run('taskset', ['-c', clientCore, ...wrk])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${workload} at ${url} failed:\n${stdout}`)
  return { requests: Number(/(\d+) requests in/.exec(stdout)?.[1]), seconds }
}

/** Of all threads, to the nanosecond: `stat` counts ticks of ten milliseconds. */
function cpuSeconds(pid) {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [busy] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(busy)
  })
  return nanoseconds.reduce((sum, busy) => sum + busy, 0) / 1e9
}

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)]
}
