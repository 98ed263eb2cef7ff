// The licences of the packages whose code goes into the bundle.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** For the files that went into the bundle, and for Swagger UI, which lies beside it. */
export function noticesFor(files) {
  const packages = new Set([...files, require.resolve('@fastify/swagger-ui')].flatMap(packageOf))
  const notices = [...packages].sort().map(noticeOf)
  return [introduction, ...notices, swaggerUi()].join(`\n\n${'-'.repeat(80)}\n\n`)
}

const introduction = 'crm-sandbox holds code of the packages below, under the licences that follow their names.'

/** The innermost folder that is a package. */
function packageOf(file) {
  const [, folder] = /^(.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? []
  return folder === undefined ? [] : [folder]
}

/** Few packages come without the text of their licence; those name it. */
function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  return `${name} ${version}\n\n${file === undefined ? license : readFileSync(join(folder, file), 'utf8').trim()}`
}

function swaggerUi() {
  const apache = readFileSync(join(dirname(require.resolve('typescript/package.json')), 'LICENSE.txt'), 'utf8')
  return `Swagger UI\nCopyright 2020-2021 SmartBear Software Inc.\n\n${apache.trim()}\n`
}
