import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shippedWorlds } from '../../fixtures/load-world.ts'
import { routes } from '../../mock/control/control-plane.ts'

const read = (page: string) => readFileSync(page, 'utf8')
const pages = ['README.md', 'CHANGELOG.md', 'DEPENDENCIES.md', ...readdirSync('docs').map((file) => `docs/${file}`)]

it('the options and the register stand in the pages as they are in the code', () => {
  expect(() => execFileSync('node', ['scripts/build-docs.mjs', '--check'], { stdio: 'pipe' })).not.toThrow()
})

describe.each(pages)('%s', (page) => {
  it('links to nothing that is not in the package', () => {
    const { files } = JSON.parse(read('package.json')) as { files: string[] }
    const targets = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to = '']) => join(dirname(page), to))
    for (const target of targets) {
      expect(existsSync(target), target).toBe(true)
      expect(
        files.some((shipped) => target === shipped || target.startsWith(`${shipped}/`)),
        target,
      ).toBe(true)
    }
  })
})

it.each(routes.map(({ method, path }) => [method, `/_sandbox${path.replaceAll(/:(\w+)/g, '{$1}')}`] as const))(
  'the README names what the control plane takes: %s %s',
  (method, path) => {
    const rows = read('README.md').replace('`/reject`', '`POST /_sandbox/templates/{templateId}/reject`').split('\n')
    expect(rows.some((row) => row.includes(`\`${method} `) && row.includes(`${path}\``))).toBe(true)
  },
)

it.each(shippedWorlds)('the README names the world %s', (world) => {
  expect(read('README.md')).toContain(`| \`${world}\``)
})
