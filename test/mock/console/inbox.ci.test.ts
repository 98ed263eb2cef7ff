import type { Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { loadWorld } from '../../../fixtures/load-world.ts'
import type { World } from '../../../fixtures/world.ts'
import { openConsole, settle } from './browser.ts'

const path = '/console/demo/inbox'
const script = '<script>parent.canary = 1; top.canary = 1</script>'

it('shows a message that arrives as unread, and its thread with the answers of the team, live', async () => {
  const { page, sandbox } = await openConsole({ world: 'demo', path })
  await settle(page)
  await page.getByText('Live', { exact: true }).waitFor()
  const { conversationId } = await sandbox.incoming.add('demo', {
    channel: 'sms',
    from: '+14155550199',
    content: 'Where is my order?',
  })
  const first = page.locator('.conversations li').first()
  await first.getByText('Where is my order?').waitFor()
  expect(await first.getByText('unread').count()).toBe(1)
  await first.getByRole('link').click()
  const log = page.getByRole('log')
  await log.getByText('Where is my order?').waitFor()
  await expect.poll(() => first.getByText('unread').count()).toBe(0)
  await page.getByLabel('What the customer writes').fill('Hello?')
  await page.getByRole('button', { name: 'Write as the customer' }).click()
  await log.getByText('Hello?').waitFor()
  await page.getByLabel('Write as').selectOption('team')
  await page.getByLabel('What the team writes').fill('On its way')
  await page.getByRole('button', { name: 'Send as the team' }).click()
  await log.getByText('On its way').waitFor()
  await log.getByText('sent', { exact: true }).click()
  await log.getByRole('button', { name: 'Bounced' }).click()
  await log.getByText('bounced', { exact: true }).waitFor()
  const { messages } = await sandbox.conversation('demo', conversationId)
  expect(messages.map(({ status }) => status)).toEqual(['received', 'received', 'bounced'])
})

it('leads from an empty inbox to a first contact, its conversation and its message', async () => {
  const { page, sandbox } = await openConsole({ world: 'empty', path })
  await page.getByLabel('Channel').selectOption('sms')
  await page.getByLabel('Address of the customer').fill('323-555')
  await page.getByLabel('What the customer writes').fill('Hello?')
  await page.getByRole('button', { name: 'Write the message' }).click()
  await page.locator('.notices .error').waitFor()
  await page.getByLabel('Address of the customer').fill('+13235550185')
  await page.getByRole('button', { name: 'Write the message' }).click()
  await page.getByRole('log').getByText('Hello?').waitFor()
  await page.locator('.conversations').getByText('+13235550185').waitFor()
  expect((await sandbox.records('demo', 'contacts')).records.map(({ phone }) => phone)).toEqual(['+13235550185'])
})

it('marks the old list until a search has its result', async () => {
  const { page } = await openConsole({ world: 'demo', path })
  await settle(page)
  const isBusy = () => page.getByLabel('Conversations', { exact: true }).getAttribute('aria-busy')
  const asked = new Promise<Route>((resolve) => void page.route(/inbox.*search=/, resolve))
  await page.getByRole('searchbox').fill('nobody')
  const request = await asked
  await expect.poll(isBusy).toBe('true')
  expect(await page.locator('.conversations li').count()).toBeGreaterThan(0)
  await request.continue()
  await page.getByText('No conversation has this text').waitFor()
  expect(await isBusy()).toBe('false')
})

it('sends through the provider that the user chooses', async () => {
  const { teams } = await loadWorld('two-teams')
  const world = {
    teams: teams.map((team) => ({
      ...team,
      providers: [...(team.providers ?? []), { _id: 'second-line', channel: 'sms', address: '+14155550177' }],
    })),
  } as World
  const { page, sandbox } = await openConsole({ world, path: null })
  const { conversationId } = await sandbox.incoming.add('acme', {
    channel: 'sms',
    from: '+14155550199',
    content: 'Hello?',
  })
  await page.goto(`${sandbox.url}/console/acme/inbox/${conversationId}`)
  await page.getByLabel('Write as').selectOption('team')
  await page.getByLabel('From', { exact: true }).selectOption('+14155550177 (second-line)')
  await page.getByLabel('What the team writes').fill('From the second line')
  await page.getByRole('button', { name: 'Send as the team' }).click()
  await page.getByRole('log').getByText('+14155550177').waitFor()
  const outbox = await sandbox.outbox.list({ team: 'acme' })
  expect(outbox.at(-1)).toMatchObject({ content: 'From the second line', providerId: 'second-line' })
})

it('runs nothing and loads nothing of hostile messages and names, and keeps its width', async () => {
  const { page, sandbox, faults } = await openConsole({
    world: 'demo',
    path: null,
    context: { viewport: { width: 390, height: 844 } },
  })
  const write = (channel: 'chat' | 'email', content: string, subject?: string) =>
    sandbox.incoming.add('demo', { channel, from: 'eve@example.com', content, ...(subject && { subject }) })
  const remote = 'http://elsewhere.invalid/'
  const { conversationId } = await write('chat', `<img src="x" onerror="canary = 1">${script}\u202E\u0000`)
  await write('chat', 'W'.repeat(10_000))
  await write(
    'email',
    `<style>p { color: rgb(200, 0, 0); background: url(${remote}) }</style><p>Dear team</p>${script}<img src="${remote}" onerror="top.canary = 1"><form action="${remote}"><button>Go</button></form><a href="${remote}">a link</a><meta http-equiv="refresh" content="0;url=${remote}">`,
    `${script}\u202E`,
  )
  await page.goto(`${sandbox.url}${path}/${conversationId}`)
  const mail = page.frameLocator('iframe')
  await mail.getByText('Dear team').waitFor()
  expect(await mail.getByText('Dear team').evaluate((one) => getComputedStyle(one).color)).toBe('rgb(200, 0, 0)')
  await mail.getByText('a link').click()
  await mail.getByRole('button').click()
  expect(await mail.getByText('Dear team').count()).toBe(1)
  expect(page.context().pages()).toHaveLength(1)
  expect(await page.evaluate('window.canary')).toBeUndefined()
  expect(await page.locator('main script, main img, main [onerror]').count()).toBe(0)
  const hidden = await page
    .locator('.thread, .words')
    .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))
  expect(hidden.filter((width) => width > 0)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  // The browser reports what the policy of the page and the sandbox of the frame have stopped.
  expect(faults.splice(0).filter((fault) => !/Blocked|Refused|violates/i.test(fault))).toEqual([])
})

it('shows an e-mail from right to left if its text begins so', async () => {
  const { page, sandbox } = await openConsole({ world: 'demo', path: null })
  const content = '<p>بكل سرور.</p>'
  const { conversationId } = await sandbox.incoming.add('demo', { channel: 'email', from: 'eve@example.com', content })
  await page.goto(`${sandbox.url}${path}/${conversationId}`)
  const words = page.frameLocator('iframe').getByText('بكل سرور')
  expect(await words.evaluate((one) => getComputedStyle(one).direction)).toBe('rtl')
})
