import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flagOf } from '../../lib/user-error.ts'
import { actions } from '../../mock/control/actions.ts'
import { controlDocument } from '../../mock/control/document.ts'
import { describedOperations } from '../../spec/document.ts'
import { meaningOfMarks } from '../../spec/assumed.ts'
import { assumptionNames } from '../../spec/assumptions.ts'
import { promises } from '../../spec/promises.ts'
import { shippedWorlds } from '../../fixtures/load-world.ts'
import { program } from '../../cli/commands.ts'
import { examplesIn, pages } from './examples-of-pages.ts'

const read = (page: string) => readFileSync(page, 'utf8')

it('has up-to-date generated parts: the options of serve, and the register of assumptions', () => {
  expect(() =>
    execFileSync('node_modules/.bin/unrun', ['scripts/build-docs.mjs', '--check'], { stdio: 'pipe' }),
  ).not.toThrow()
})

it('has a README of less than 200 lines', () => expect(read('README.md').split('\n').length).toBeLessThan(200))

it('has a README that installs the package as docs/index.md does, in its version', () => {
  const [command] = /npm pack [^]*?\.tgz/.exec(read('README.md')) ?? []
  const { name, version } = JSON.parse(read('package.json')) as { name: string; version: string }
  expect(command).toContain(`./${name}-${version}.tgz`)
  expect(read('docs/index.md')).toContain(command)
  expect(read('docs/llms.txt')).toContain(`\`${name}-${version}.tgz\``)
})

it('has a SKILL.md without relative links, since people copy it elsewhere', () =>
  expect(read('docs/skills/crm-sandbox/SKILL.md')).not.toMatch(/\]\((?!https?:)/))

it('has a README with the right numbers of promises and assumptions', () => {
  expect(read('README.md')).toContain(`${promises.length} promises`)
  expect(read('README.md')).toContain(`${assumptionNames.length} entries`)
})

it.each(['README.md', 'docs/learn.md', 'docs/assumptions.md'])(
  '%s says what the header names, in the same words',
  (page) => {
    const words = read(page)
      .replaceAll(/\[(\w+)\]\([^)]*\)/g, '$1')
      .replaceAll(/\s+/g, ' ')
    expect(words).toContain(`The header \`x-sandbox-assumed\` ${meaningOfMarks}.`)
  },
)

describe.each([...pages(), 'CHANGELOG.md'])('%s', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(
    ([, file, anchor]) => [file ? join(dirname(page), file) : page, anchor] as const,
  )

  it('links only to files of the package', () => {
    const { files } = JSON.parse(read('package.json')) as { files: string[] }
    for (const [target] of links.filter(([target]) => target !== 'README.md')) {
      expect(existsSync(target), target).toBe(true)
      expect(
        files.some((shipped) => target === shipped || target.startsWith(`${shipped}/`)),
        target,
      ).toBe(true)
    }
  })

  it('links only to headings that exist', () => {
    for (const [target, anchor] of links.filter(([, anchor]) => anchor !== undefined)) {
      expect(anchorsOf(target), target).toContain(anchor)
    }
  })
})

it.each(describedOperations(await controlDocument()).map(({ method, path }) => [method.toUpperCase(), path] as const))(
  'docs/control-plane.md lists %s %s',
  (method, path) => expect(read('docs/control-plane.md')).toContain(`| \`${method} ${path}\``),
)

it.each(shippedWorlds)('docs/worlds.md lists the world %s', (world) =>
  expect(read('docs/worlds.md')).toContain(`| \`${world}\``),
)

it('docs/contributing.md lists the folders that there are, and no others', () => {
  const listed = [...read('docs/contributing.md').matchAll(/^\| `([\w/-]+)\/` /gm)].map(([, folder = '']) => folder)
  const top =
    execFileSync('git', ['ls-files'])
      .toString()
      .match(/^\w[\w-]*(?=\/)/gm) ?? []
  const rooms = ['mock', 'contracts'].flatMap((parent) =>
    readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${parent}/${name}`),
  )
  expect(listed.toSorted()).toEqual([...new Set(top), ...rooms].toSorted())
})

it.each(pages().flatMap(commandLinesIn))(
  '%s, line %i: `crm-sandbox %s` takes %s',
  (_page, _line, name, flags, rest) => {
    const command = program.commands.find((known) => known.name() === name)
    expect(command?.name()).toBe(name)
    const ofAction = name === 'ctl' ? flagsOfAction(rest) : []
    const known = [...(command?.options.flatMap(({ long }) => long ?? []) ?? []), ...ofAction]
    expect(flags.filter((flag) => flag !== '--help' && !known.includes(flag))).toEqual([])
  },
)

/** The flags of an action of the control plane, which `ctl` adds when it runs. */
function flagsOfAction(words: string): string[] {
  const action = actions().find(({ names }) =>
    words.startsWith(` ${names.map((name) => flagOf(name).slice(2)).join(' ')}`),
  )
  return [
    ...(action?.fields ?? []).map(({ name }) => flagOf(name)),
    ...(action?.otherFields ? ['--where'] : []),
    '--expect',
  ]
}

/** The commands in the examples of a page with their flags, also in those that no test runs. */
function commandLinesIn(
  page: string,
): (readonly [string, line: number, command: string, flags: string[], rest: string])[] {
  return examplesIn(page).flatMap(({ line, code }) =>
    [...code.replaceAll('\\\n', ' ').matchAll(/crm-sandbox"?[, ]+"?([a-z]+)\b(?!-)(.*)/g)]
      .filter(([, name]) => name !== 'sweep') // the command after it may have other flags
      .map(
        ([, name = '', rest = '']) =>
          [page, line, name, [...(rest.replace(/ -- .*/, '').match(/(?<=[\s"])--[a-z-]+/g) ?? [])], rest] as const,
      ),
  )
}

/** As GitHub makes them from headings. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}
