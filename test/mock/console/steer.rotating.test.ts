import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openConsole } from './browser.ts'
import { postAs } from '../../for-one-test.ts'

const rowOf = (page: Page, text: string) => page.locator('tbody tr').filter({ hasText: text }).first()
const notice = (page: Page) => page.locator('.notices')
const alert = (page: Page) => page.getByRole('alert')

/** Answers the question of the page, which names the loss. */
async function answer(page: Page, action: RegExp, loss: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.textContent()).toMatch(loss)
  await dialog.getByRole('button', { name: action }).click()
}

it('shows what the team sent, filters it by the address, and reports what became of it', async () => {
  const { page, sandbox, base } = await openConsole({ world: 'two-teams', path: '/console/acme/outbox' })
  await rowOf(page, 'this is Acme').waitFor()
  expect(await page.locator('main').textContent()).not.toContain('Globex')
  await rowOf(page, 'this is Acme').getByRole('button', { name: 'Read' }).click()
  await rowOf(page, 'this is Acme').locator('.badge', { hasText: 'read' }).waitFor()
  const [item] = await sandbox.outbox.list({ team: 'acme' })
  expect(item?.status).toBe('read')
  await fetch(
    `${base}/api/messages/sendBulkNewMessages`,
    postAs('acme-key', {
      channel: 'email',
      to: 'ada@example.com',
      subject: 'News',
      content: '<p>To be <b>read</b></p>',
      providerId: 'email-provider',
    }),
  )
  await rowOf(page, 'News · To be read').waitFor()

  await page.goto(`${base}/console/acme/outbox?state=held`)
  await page.getByText('No message matches these filters').waitFor()
  await page.goto(`${base}/console/acme/outbox?state=nonsense`)
  await expect.poll(() => alert(page).textContent()).toContain('state must be')
})

it('lists what changed since the last reset, and since a snapshot, while it changes', async () => {
  const { page, sandbox } = await openConsole({ world: 'two-teams', path: '/console/acme/changes' })
  const [team] = await sandbox.teams()
  const send = (method: string, path: string, body?: object) =>
    sandbox.fetch(path, {
      method,
      headers: { 'x-api-key': team?.apiKeys[0] ?? '', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  await page.getByText('Since the last reset: nothing changed.').waitFor()
  const created = await send('POST', '/api/contacts', { firstName: '<b>Ada</b>', lastName: 'Byron' })
  const { data } = (await created.json()) as { data: { _id: string } }
  await rowOf(page, 'created').getByRole('link', { name: '<b>Ada</b> Byron' }).waitFor()
  await page.getByText('Since the last reset: 1 contact created.').waitFor()

  await sandbox.snapshots.save('before')
  await sandbox.snapshots.save('of-globex', { teamId: 'globex' })
  await page.reload()
  await page.getByLabel('Since').selectOption('before')
  await page.getByText('Since the snapshot before: nothing changed.').waitFor()
  expect(await page.getByLabel('Since').locator('option').allTextContents()).not.toContain('of-globex')
  await send('PUT', `/api/contacts/${data._id}`, { lastName: 'Lovelace' })
  await rowOf(page, 'updated').getByText('lastName: Byron → Lovelace').waitFor()
  await send('DELETE', `/api/contacts/${data._id}`)
  await page.getByText('Since the snapshot before: 1 contact deleted.').waitFor()
  expect(await rowOf(page, 'deleted').getByRole('link').count()).toBe(0)
  await page.goto(page.url().replace('before', 'befor'))
  await expect.poll(() => alert(page).textContent()).toContain('there is no snapshot befor; did you mean before?')
})

it('sends a message that is held, and drops another one after a question', async () => {
  const { page, base } = await openConsole({
    world: 'two-teams',
    assume: { bulkDelivery: 'onRelease' },
    path: '/console/acme/outbox',
  })
  const send = async (content: string) => {
    const body = { channel: 'sms', to: '+14155550123', content, providerId: 'sms-provider' }
    await fetch(`${base}/api/messages/sendBulkNewMessages`, postAs('acme-key', body))
  }
  await send('To be sent')
  await send('To be dropped')
  await rowOf(page, 'To be sent').getByRole('button', { name: 'Send now' }).click()
  await rowOf(page, 'To be sent').locator('.badge', { hasText: 'sent' }).waitFor()
  await rowOf(page, 'To be dropped').getByRole('button', { name: 'Drop' }).click()
  await answer(page, /^Drop/, /will never be sent/)
  await expect.poll(() => rowOf(page, 'To be dropped').count()).toBe(0)
})

it('adds a fault from its form, counts how often it fired, and shows a refusal as it was worded', async () => {
  const { page, sandbox, base } = await openConsole({ world: 'two-teams', path: '/console/acme/faults' })
  await sandbox.faults.add({ team: 'globex', operation: 'createQuote', status: 503 })
  const forAll = await sandbox.faults.add({ operation: 'createDeal', responses: [{ status: 429 }, { status: 503 }] })
  await page.getByText('Add a fault', { exact: true }).click()
  const form = page.locator('form', { hasText: 'What happens' })
  await form.getByLabel('Operation').selectOption('createContact')
  await form.getByLabel('has the value').fill('Ada')
  await form.getByRole('button', { name: 'Add the fault' }).click()
  await expect.poll(() => notice(page).textContent()).toContain('Name the field that has this value')
  await form.getByLabel('Only where the field').fill('firstName')
  await form.getByRole('spinbutton', { name: 'Status' }).fill('500')
  await form.getByLabel('Retry after').fill('5s')
  await form.getByRole('button', { name: 'Add the fault' }).click()
  await expect.poll(() => notice(page).textContent()).toContain('retryAfter needs the status 429 or 503')
  await form.getByRole('spinbutton', { name: 'Status' }).fill('503')
  await form.getByRole('textbox', { name: 'Message' }).fill('<script>alert(1)</script>')
  await form.getByLabel('Times').fill('1')
  await page.setViewportSize({ width: 390, height: 600 })
  await form.getByRole('button', { name: 'Add the fault' }).click()
  await rowOf(page, '{"firstName":"Ada"}').waitFor()
  const top = () => rowOf(page, '{"firstName":"Ada"}').evaluate((row) => row.getBoundingClientRect().top)
  await expect.poll(top).toBeGreaterThan(0)

  const body = { firstName: 'Ada', lastName: 'Lovelace' }
  const { status } = await fetch(`${base}/api/contacts`, postAs('acme-key', body))
  expect(status).toBe(503)
  await rowOf(page, '{"firstName":"Ada"}').getByText('used up').waitFor()
  expect(await rowOf(page, 'createQuote').count()).toBe(0)
  await rowOf(page, 'createDeal').getByText('On arrival, a sequence of 2 responses').waitFor()

  await page.getByRole('button', { name: 'Remove all faults' }).click()
  await answer(page, /^Remove all/, /2 faults.*1 of them apply to all teams/)
  await page.getByText('No fault.').waitFor()
  await expect(sandbox.faults.get(forAll.id)).rejects.toThrow()
  expect((await sandbox.faults.list()).map(({ team }) => team)).toEqual(['globex'])
})

it('shows that a gate holds a request, then opens it or lets the request fail', async () => {
  const { page, sandbox, base } = await openConsole({ world: 'two-teams', path: '/console/acme/faults' })
  await sandbox.gates.add({ team: 'globex', operation: 'deleteDeal' })
  const create = () => fetch(`${base}/api/contacts`, postAs('acme-key', '{"firstName":"A","lastName":"B"}'))
  await page.getByText('Add a gate', { exact: true }).click()
  const form = page.locator('form', { hasText: 'Opens by itself' })
  await form.getByLabel('Opens by itself').fill('6m')
  await form.getByRole('button', { name: 'Add the gate' }).click()
  await expect.poll(() => notice(page).textContent()).toContain('timeout must be at most 300 seconds')
  await form.getByLabel('Opens by itself').fill('1m')
  await form.getByLabel('Operation').selectOption('createContact')
  await form.getByRole('button', { name: 'Add the gate' }).click()
  const gate = rowOf(page, 'createContact')
  await gate.getByText('waits for its request').waitFor()
  expect(await page.locator('main td').allTextContents()).not.toContain('deleteDeal')

  const held = create()
  await gate.getByText('holds a request').waitFor()
  await gate.getByLabel('How the request fails').selectOption('503')
  await gate.getByRole('button', { name: 'Fail with' }).click()
  expect((await held).status).toBe(503)
  await gate.getByText('failed').waitFor()
  await gate.getByRole('button', { name: 'Delete' }).click()

  await form.getByRole('button', { name: 'Add the gate' }).click()
  const released = create()
  await gate.getByText('holds a request').waitFor()
  await gate.getByRole('button', { name: 'Open' }).click()
  expect((await released).status).toBeLessThan(300)
  await gate.getByText('opened').waitFor()
})

it('shows the assumptions that answers relied on first, and leads to these requests', async () => {
  const { page, base } = await openConsole({ world: 'two-teams', path: '/console/acme/assumptions' })
  await page.getByText('bearerRoutes').waitFor()
  await fetch(`${base}/api/contacts`, postAs('acme-key', '{"email":"no address"}'))
  await fetch(`${base}/api/contacts`, postAs('acme-key', '{"firstName":"A","lastName":"B"}'))
  await page.getByLabel('Which').selectOption('relied')
  const first = page.locator('tbody tr').first()
  await expect.poll(() => first.locator('td').last().textContent()).toMatch(/^[1-9]/)
  const name = (await first.locator('a').textContent()) ?? ''
  await first.locator('a').click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Requests of this team' }).click()
  await rowOf(page, 'createContact').waitFor()
  await page.getByLabel(`Only those that relied on ${name}`).click()
  await expect.poll(() => page.url()).not.toContain('assumed=')
})

it('switches a choice with a number for one team or for all, and resets it after a question', async () => {
  const { page, sandbox, base } = await openConsole({ world: 'two-teams', path: '/console/acme/assumptions' })
  await page.keyboard.press('/')
  await page.keyboard.type('how many requests can')
  await page.getByRole('link', { name: 'rateLimit' }).click()
  await page.getByLabel('perMinute').check()
  await page.getByLabel('Number of').fill('0')
  await page.getByRole('button', { name: 'Switch' }).click()
  await expect.poll(() => notice(page).locator('.error').textContent()).toContain('rateLimit')
  await page.getByLabel('Number of').fill('60')
  await page.getByRole('button', { name: 'Switch' }).click()
  await page.getByText('switched for this team').waitFor()
  expect((await sandbox.assumptions.get('rateLimit', { teamId: 'acme' })).choice).toBe('perMinute:60')
  expect((await sandbox.assumptions.get('rateLimit')).choice).toBe('none')
  await page.getByLabel('For which teams').selectOption('all')
  await page.getByLabel('Number of').fill('70')
  await page.getByRole('button', { name: 'Switch' }).click()
  await page.getByText('switched for all teams').waitFor()
  expect((await sandbox.assumptions.get('rateLimit', { teamId: 'globex' })).choice).toBe('perMinute:70')

  await page.goto(`${base}/console/acme/assumptions`)
  await page.getByRole('button', { name: 'Reset this team' }).click()
  await answer(page, /^Reset/, /rateLimit=perMinute:60/)
  await expect
    .poll(async () => (await sandbox.assumptions.get('rateLimit', { teamId: 'acme' })).choice)
    .toBe('perMinute:70')
  await page.goto(`${base}/console/acme/assumptions/nonsense`)
  await alert(page).waitFor()
  await page.goto(`${base}/console/acme/assumptions/bodyLimit`)
  await page.getByRole('radio').last().check()
  await page.getByRole('button', { name: 'Switch' }).click()
  await expect.poll(() => notice(page).textContent()).toContain('bodyLimit cannot be switched')
})

it('freezes, advances, sets and restarts the clock', async () => {
  const { page, sandbox } = await openConsole({ world: 'two-teams', path: '/console/acme/clock' })
  const face = page.locator('.face')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await face.getByText('running').waitFor()
  const before = await face.locator('code').textContent()
  await expect.poll(() => face.locator('code').textContent()).not.toBe(before)
  await page.getByLabel('To').fill('soon')
  await press('Set')
  await expect.poll(() => notice(page).textContent()).toContain('now must be a time')
  await press('Freeze')
  await face.getByText('frozen').waitFor()
  await page.getByLabel('To').fill('2030-01-31T09:00:00Z')
  await press('Set')
  await face.getByText('2030-01-31T09:00:00Z').waitFor()
  await press('Advance by 1 week')
  await face.getByText('2030-02-07T09:00:00Z').waitFor()
  await page.getByLabel('By').fill('1 fortnight')
  await press('Advance')
  await expect.poll(() => notice(page).textContent()).toContain('by must be a duration')
  await page.getByLabel('By').fill('90m')
  await press('Advance')
  await face.getByText('2030-02-07T10:30:00Z').waitFor()
  await sandbox.clock.advance('1h')
  await face.getByText('2030-02-07T11:30:00Z').waitFor()
  await page.getByRole('link', { name: 'Contacts' }).click()
  await page.getByText('The clock is frozen at 7 Feb 2030, 11:30').waitFor()
  await page.getByRole('link', { name: 'The clock is frozen at' }).click()
  await press('Resume')
  await face.getByText('running').waitFor()
  await press('Restart')
  await expect.poll(() => face.locator('code').textContent()).not.toContain('2030')
  await page.getByRole('link', { name: 'Contacts' }).click()
  await page.getByRole('heading', { name: 'Contacts' }).waitFor()
  await expect.poll(() => page.locator('.moved').count()).toBe(0)
})

it('saves a snapshot, restores it after a question, and takes its download as an upload', async () => {
  const { page, sandbox } = await openConsole({ world: 'two-teams', path: '/console/acme/snapshots' })
  const save = page.locator('form', { hasText: 'Save the snapshot' })
  const upload = page.locator('form', { hasText: 'Upload the snapshot' })
  await save.getByLabel('Name').fill('Not A Name')
  await save.getByRole('button').click()
  await expect.poll(() => notice(page).textContent()).toContain('name must be 1 to 64 small letters')
  await save.getByLabel('Name').fill('before')
  await save.getByLabel('Of').selectOption('team')
  await save.getByRole('button').click()
  await rowOf(page, 'before').getByText('the team acme').waitFor()

  const { total } = await sandbox.records('acme', 'contacts')
  await sandbox.fetch('/api/contacts', postAs('acme-key', '{"firstName":"A","lastName":"B"}'))
  await rowOf(page, 'before').getByRole('button', { name: 'Restore this team' }).click()
  await answer(page, /^Restore/, /The records that the team acme has now will be lost/)
  await expect.poll(async () => (await sandbox.records('acme', 'contacts')).total).toBe(total)

  const downloads = page.waitForEvent('download')
  await rowOf(page, 'before').getByRole('button', { name: 'Download' }).click()
  const file = await (await downloads).path()
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ teams: [{ _id: 'acme' }] })

  const buffer = await readFile(file)
  await upload.getByLabel('File').setInputFiles({ name: 'Odd (1).json', mimeType: 'application/json', buffer })
  expect(await upload.getByLabel('Name').inputValue()).toBe('odd-1-')
  await upload.getByLabel('Name').fill('before')
  await upload.getByRole('button', { name: 'Upload' }).click()
  await answer(page, /^Replace/, /What it holds now will be lost/)
  await rowOf(page, 'before').getByText('all teams (1)').waitFor()
  await rowOf(page, 'before').getByRole('button', { name: 'Restore all' }).click()
  await answer(page, /^Restore/, /All teams with their records/)
  await expect.poll(async () => (await sandbox.teams()).length).toBe(1)
  await rowOf(page, 'before').getByRole('button', { name: 'Delete' }).click()
  await answer(page, /^Delete/, /will be lost/)
  await page.getByText('No snapshot yet').waitFor()
})
