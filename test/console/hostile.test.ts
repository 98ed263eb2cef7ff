import { expect, it } from 'vitest'
import { loadWorld } from '../../fixtures/load-world.ts'
import type { World } from '../../fixtures/world.ts'
import { openConsole } from './browser.ts'
import { paths, settle } from './page-paths.ts'

const scripts = [
  '<script>canary()</script>',
  '<img src=x onerror=canary()>',
  '<svg onload=canary()>',
  '<a href="javascript:canary()">link</a>',
  '</iframe></pre></textarea><style>*{display:none!important}</style>',
  '"\' onfocus=canary() autofocus x="',
  '<iframe srcdoc="<script>parent.canary()</script>"></iframe>',
  '<meta http-equiv=refresh content="0;url=javascript:canary()">',
  '<form action="javascript:canary()"><button autofocus>send</button></form>',
  '<img src="https://elsewhere.example/pixel.png"><link rel=stylesheet href="https://elsewhere.example/a.css">',
].join('')

const attack = `${scripts}\u202Egnp.exe ${'W'.repeat(10_000)}`

/** Free text in the records of a world. */
const texts = /^(?:firstName|lastName|name|content|subject|description|terms|notes|industry|city|source|domain)$/

const hostile = (value: unknown, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => hostile(item))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hostile(item, name)]))
  return typeof value === 'string' && texts.test(key) ? attack : value
}

it('runs nothing of hostile records, and shows them within the page', async () => {
  const { teams } = await loadWorld('story:shop')
  const world = {
    teams: teams.map(({ name, ...team }) => ({
      ...(hostile(team) as typeof team),
      name: '"><img src=x onerror=canary()>',
      users: (team as { users?: unknown }).users,
    })),
  } as World
  const { page, sandbox, base, faults } = await openConsole({ world, path: null })
  let runs = 0
  await page.exposeFunction('canary', () => runs++)
  const [team] = await sandbox.teams()
  await fetch(`${base}/api/contacts`, {
    method: 'POST',
    headers: { 'x-api-key': team?.apiKeys[0] ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: attack, email: attack }),
  })
  for (const path of paths) {
    const address = `${base}/console/${team?._id ?? ''}${path && `/${path}`}`
    await page.goto(address)
    await check(path)
    const record = page.locator(`main a[href^="${new URL(address).pathname}/"]`).first()
    if (path === '' || (await record.count()) === 0) continue
    await record.click()
    await check(`${path}/…`)
  }
  expect(runs).toBe(0)
  // Chromium reports each script that the sandbox of a frame stopped, and of each load that the policy stopped.
  const stopped =
    /^(?:Blocked script execution in 'about:srcdoc'|(?:Load|Apply)ing .*violates the following Content Security Policy)/
  expect(faults.splice(0).filter((fault) => !stopped.test(fault))).toEqual([])

  async function check(path: string) {
    await settle(page)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      expect
        .soft(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`)
        .toBeLessThanOrEqual(width)
    }
    expect
      .soft(await page.locator('a[href^="javascript:" i], main script, main style, [onerror], [onload]').count(), path)
      .toBe(0)
    for (const frame of await page.locator('iframe').all())
      expect.soft(await frame.getAttribute('sandbox'), path).toBe('')
    expect(await page.locator('main h1, main .empty').first().isVisible(), path).toBe(true)
    await page.screenshot({ path: `coverage/console/hostile-${path.replaceAll(/\W+/g, '-') || 'overview'}.png` })
  }
})
