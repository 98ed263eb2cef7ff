import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

/** One rule of the mock, and what stands in its place in a server that breaks it. */
export interface Break {
  /** Of the mock, such as `rules/found.ts`. */
  readonly file: string
  readonly rule: string
  readonly instead: string
}

const project = resolve(import.meta.dirname, '../..')
const built = join(project, 'dist')
// Where a copy finds the dependencies too.
const copies = join(project, 'node_modules/.cache/crm-sandbox-deviants')

export interface Copy extends Disposable {
  /** The module that starts the copy. */
  readonly module: string
}

/** The built sandbox with one rule broken; all but the mock is shared with the others. */
export function brokenCopy(broken: Break): Copy {
  mkdirSync(copies, { recursive: true })
  const copy = mkdtempSync(join(copies, 'copy-'))
  for (const shared of ['spec', 'shared', 'fixtures']) symlinkSync(join(built, shared), join(copy, shared))
  cpSync(join(project, 'package.json'), join(copy, 'package.json'))
  for (const own of ['mock', 'index.js', 'own-target.js'])
    cpSync(join(built, own), join(copy, own), { recursive: true })
  writeFileSync(
    join(copy, 'mock', broken.file.replace(/\.ts$/, '.js')),
    compiled(withBroken(source(broken.file), broken)),
  )
  return {
    module: join(copy, 'own-target.js'),
    [Symbol.dispose]: () => {
      rmSync(copy, { recursive: true, force: true })
    },
  }
}

const source = (file: string) => readFileSync(join(project, 'mock', file), 'utf8')

function withBroken(text: string, { file, rule, instead }: Break): string {
  const times = text.split(rule).length - 1
  if (times !== 1) throw new Error(`mock/${file} holds ${JSON.stringify(rule)} ${times} times, and must hold it once`)
  return text.replace(rule, () => instead)
}

function compiled(text: string): string {
  return ts.transpileModule(text, {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      rewriteRelativeImportExtensions: true,
      verbatimModuleSyntax: true,
    },
  }).outputText
}
