import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

// VitePress refuses to build a site with a link that leads nowhere.

const site = mkdtempSync(join(tmpdir(), 'crm-sandbox-site-'))
beforeAll(() => {
  execFileSync('node_modules/.bin/vitepress', ['build', 'docs', '--outDir', site], { stdio: 'pipe' })
})
afterAll(() => rmSync(site, { recursive: true }))

const named = readdirSync('docs')
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.replace('.md', ''))

it.each(named)('has the page %s, also as Markdown', (name) => {
  expect(readFileSync(join(site, `${name}.html`), 'utf8')).toContain('<h1')
  expect(existsSync(join(site, `${name}.md`))).toBe(true)
})

it.each(named.filter((name) => name !== 'index'))('has %s in its menu', (name) =>
  expect(readFileSync(join(site, 'index.html'), 'utf8')).toContain(`href="/${name}"`),
)

it('has llms.txt for coding assistants, and each page that it links', () => {
  const links = readFileSync(join(site, 'llms.txt'), 'utf8').matchAll(/\]\(([^)]+)\)/g)
  for (const [, link = ''] of links) expect(existsSync(join(site, link)), link).toBe(true)
})
