import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'

/** Compiles a program that imports our TypeScript, so that a test can start it as a process. Returns its path. */
export async function compile(program: URL): Promise<string> {
  const path = fileURLToPath(program)
  const outDir = join('node_modules/.cache/crm-sandbox-tests', String(process.pid))
  const common = { config: false, clean: false, dts: false, report: false, logLevel: 'silent' } as const
  await build({ ...common, entry: path, outDir, fixedExtension: true, hash: false })
  return join(outDir, `${basename(path, extname(path))}.mjs`)
}
