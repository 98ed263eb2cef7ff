import { parentPort, workerData } from 'node:worker_threads'
import { loadWorld } from '../fixtures/load-world.ts'
import { loadFaults, loadProfile } from './load-profile.ts'

// Loads a file in a worker, so that a parser holds no request, and takes no memory of the server.

const load = { world: loadWorld, profile: loadProfile, faults: loadFaults }
const { option, path } = workerData as { readonly option: keyof typeof load; readonly path: string }
const loaded: Promise<unknown> = load[option](path)
loaded.then(
  (content) => parentPort?.postMessage({ content }),
  (error: unknown) => parentPort?.postMessage({ reason: error instanceof Error ? error.message : String(error) }),
)
