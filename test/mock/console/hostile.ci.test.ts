import { expect, it } from 'vitest'
import { loadWorld } from '../../../fixtures/load-world.ts'
import type { World } from '../../../fixtures/world.ts'
import { openConsole } from './browser.ts'
import { paths, settle } from './browser.ts'
import { postAs } from '../../for-one-test.ts'

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

const attack = `${scripts}\u0000\u202Egnp.exe ${'W'.repeat(10_000)}`

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
  let [runs, frames] = [0, 0]
  await page.exposeFunction('canary', () => runs++)
  const [team] = await sandbox.teams()
  const send = async (path: string, body: object) => {
    return (await fetch(`${base}/api/${path}`, postAs(team?.apiKeys[0] ?? '', body))).status
  }
  // An address cannot have a NUL; names and texts can.
  expect(await send('contacts', { firstName: attack, lastName: attack, email: 'a\u0000@example.com' })).toBe(400)
  const { conversationId } = await sandbox.incoming.add(team?._id ?? '', {
    channel: 'email',
    from: 'eve@example.com',
    subject: attack.slice(0, 1000),
    content: attack,
  })
  const file = { mediaUrl: 'https://elsewhere.example/a.png', mediaType: 'image', mimeType: 'image/png', fileSize: '1' }
  const email = { channel: 'email', conversationId, providerId: 'email-provider', subject: attack, content: attack }
  expect(await send('messages/sendEmailMessage', { ...email, attachments: [{ ...file, fileName: attack }] })).toBe(200)
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
  expect(frames).toBeGreaterThan(0)
  // Chromium reports what the sandbox of a frame stopped, and each load that the policy stopped.
  const stopped = [
    /^Blocked script execution in 'about:srcdoc'/,
    /^Blocked autofocusing on a <button> element because the element's frame is sandboxed/,
    /^Refused to refresh about:srcdoc to a javascript: URL/,
    /^(?:Load|Apply)ing .*violates the following Content Security Policy/,
  ]
  expect(faults.splice(0).filter((fault) => !stopped.some((form) => form.test(fault)))).toEqual([])

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
    for (const frame of await page.locator('iframe').all()) {
      expect.soft(await frame.getAttribute('sandbox'), path).toBe('')
      frames++
    }
    expect(await page.locator('main h1, main .empty').first().isVisible(), path).toBe(true)
    await page.screenshot({ path: `coverage/console/hostile-${path.replaceAll(/\W+/g, '-') || 'overview'}.png` })
  }
})
