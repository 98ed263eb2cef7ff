// Puts the sandbox into a few files: a start that has to find and read a hundred and fifty takes a third longer.
import { relative } from 'node:path'
import { rolldown } from 'rolldown'

const root = process.cwd()

/** A module finds what lies beside it where the compiler has put it, not where its code went. */
const besideItself = {
  name: 'beside-itself',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null
    const there = `../${relative(root, id).replace(/\.ts$/, '.js')}`
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(there)}, import.meta.url).href`)
  },
}

/** The contracts stay files of their own: a test runner reads them one by one. */
const contractsApart = {
  name: 'contracts-apart',
  resolveId(source) {
    const [, contract] = /\.\/(contracts\/.+)\.ts$/.exec(source) ?? []
    return contract === undefined ? null : { id: `../${contract}.js`, external: true }
  },
}

const bundle = await rolldown({
  input: { index: 'index.ts', cli: 'cli.ts' },
  platform: 'node',
  external: /^[^./]/,
  plugins: [contractsApart, besideItself],
  logLevel: 'warn',
})
await bundle.write({ dir: 'dist/bundle', format: 'esm', cleanDir: true })
