import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage } from '../mock/console/browser.ts'

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

describe('in a browser', () => {
  const types: Partial<Record<string, string>> = {
    html: 'text/html',
    js: 'text/javascript',
    css: 'text/css',
    svg: 'image/svg+xml',
  }
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site')
    const file = join(
      site,
      pathname === '/' ? 'index.html' : existsSync(join(site, pathname)) ? pathname : `${pathname}.html`,
    )
    const type = types[/\w+$/.exec(file)?.[0] ?? ''] ?? 'application/octet-stream'
    const body = createReadStream(file).on('error', () => response.writeHead(404).end())
    body.once('open', () => body.pipe(response.writeHead(200, { 'content-type': type })))
  })
  let origin: string
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  // Errors of a page fail its test.
  it('shows no text of a template outside of code, and the names of all pages in its menu', async () => {
    const { page } = await openPage(origin)
    for (const name of named) {
      await page.goto(`${origin}/${name === 'index' ? '' : name}`)
      await page.locator('.VPSidebar').waitFor()
      const text = await page.evaluate<string>(withoutCode)
      expect(text, name).not.toContain('{{')
      expect(text, name).toContain('The project')
      for (const other of named.filter((other) => other !== 'index')) expect(text, name).toContain(titleOf(other))
    }
  })

  it.each([1280, 390])('finds a page by its words, %i pixels wide', async (width) => {
    const { page } = await openPage(origin, { viewport: { width, height: 800 } })
    await page.goto(`${origin}/serve`)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('merge fields')
    await page.locator('.search-modal-results .result, .results .result').first().click()
    await expect.poll(() => page.locator('h1').innerText()).not.toBe('Running the server')
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  })
})

const withoutCode = "document.querySelectorAll('code').forEach((code) => code.remove()), document.body.innerText"

const titleOf = (name: string) => /^# (.+)$/m.exec(readFileSync(`docs/${name}.md`, 'utf8'))?.[1] ?? name
