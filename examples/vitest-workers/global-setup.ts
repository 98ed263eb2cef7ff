import { createSandbox } from 'crm-sandbox'
import type { TestProject } from 'vitest/node'

/** One sandbox for all workers. */
export default async function setup(project: TestProject) {
  const sandbox = await createSandbox({ port: 0, world: 'empty' })
  project.provide('sandboxUrl', sandbox.url)
  return () => sandbox.close()
}

declare module 'vitest' {
  interface ProvidedContext {
    sandboxUrl: string
  }
}
