import { expect, it } from 'vitest'
import { openConsole } from './browser.ts'

const path = '/console/demo/inbox'
const script = '<script>parent.canary = 1; top.canary = 1</script>'

it('shows a message that arrives as unread, and its thread with the answers of the team, live', async () => {
  const { page, sandbox } = await openConsole({ world: 'demo', path })
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
  await log.getByRole('button', { name: 'Mark bounced' }).click()
  await log.getByText('bounced', { exact: true }).waitFor()
  const { messages } = await sandbox.conversation('demo', conversationId)
  expect(messages.map(({ status }) => status)).toEqual(['received', 'received', 'bounced'])
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
    `<p>Dear team</p>${script}<img src="${remote}" onerror="top.canary = 1"><form action="${remote}"><button>Go</button></form><a href="${remote}">a link</a><meta http-equiv="refresh" content="0;url=${remote}">`,
    `${script}\u202E`,
  )
  await page.goto(`${sandbox.url}${path}/${conversationId}`)
  const mail = page.frameLocator('iframe')
  await mail.getByText('Dear team').waitFor()
  await mail.getByText('a link').click()
  await mail.getByRole('button').click()
  expect(await mail.getByText('Dear team').count()).toBe(1)
  expect(await page.evaluate('window.canary')).toBeUndefined()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  // The browser reports what the policy of the page and the sandbox of the frame have stopped.
  expect(faults.splice(0).filter((fault) => !/Blocked|Refused|violates/i.test(fault))).toEqual([])
})
