import { describe, expect, it } from 'vitest'
import { control } from '../../../mock/testing/control-client.ts'
import { openSandbox } from '../helpers.ts'
import { setImmediate } from 'node:timers/promises'
import { ChangeSubscriptions } from '../../../mock/core/changes.ts'

const product = { body: { name: 'Analytical Engine', unitPrice: 1 } }

async function openFollowed(team: string) {
  const { sandbox, call } = await openSandbox({ port: 0 })
  const seen: string[] = []
  const ended = (async () => {
    for await (const event of control(sandbox).events.follow({ team })) seen.push(event)
  })()
  await expect.poll(() => seen).toEqual(['records', 'settings'])
  seen.length = 0
  return { sandbox, call, seen, ended }
}

describe('the events of a team', () => {
  it('announce changes of its records and of settings, many at once as few', async () => {
    const { sandbox, call, seen } = await openFollowed('acme')
    const count = (event: string) => seen.filter((one) => one === event).length
    await Promise.all(Array.from({ length: 50 }, () => call('createProduct', product)))
    await expect.poll(() => count('records')).toBeGreaterThan(0)
    await sandbox.faults.add({ operation: 'createContact', status: 500 })
    await expect.poll(() => count('settings')).toBe(1)
    await sandbox.teams.create()
    await expect.poll(() => count('settings')).toBe(2)
    expect(count('records')).toBeLessThan(50)
  })

  it('announce no change of another team', async () => {
    const { sandbox, call, seen } = await openFollowed('acme')
    await call('createProduct', { ...product, key: 'globex-key' })
    await sandbox.clock.freeze()
    await expect.poll(() => seen).toEqual(['settings'])
  })

  it.each(['over HTTP', 'in process'])('end when the client returns, while it waits for one: %s', async (door) => {
    const { sandbox } = await openSandbox({ port: 0 })
    const { events } = door === 'in process' ? sandbox : control(sandbox)
    const followed = events.follow({ team: 'acme' })
    await followed.next()
    await followed.next()
    const waiting = followed.next()
    await followed.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
  })

  it('end with the sandbox', async () => {
    const { sandbox, ended } = await openFollowed('acme')
    await sandbox.close()
    await ended
  })
})

it('refuses the events of an unknown team', async () => {
  const { sandbox } = await openSandbox()
  await expect(sandbox.events.follow({ team: 'initech' }).next()).rejects.toMatchObject({
    status: 400,
    message: 'there is no team initech; team must be the id of one, as `ctl teams list` shows them',
  })
})

it('notifies the subscribers of a team and of all teams', () => {
  const changes = new ChangeSubscriptions()
  const notified: (string | undefined)[] = []
  for (const team of ['acme', 'globex', undefined]) changes.subscribe(team, () => notified.push(team))
  changes.notify('acme')
  expect(notified).toEqual(['acme', undefined])
  changes.notifyAll()
  expect(notified.slice(2)).toEqual(['acme', 'globex', undefined])
})

it('reads once after several changes', async () => {
  const changes = new ChangeSubscriptions()
  let reads = 0
  const found = changes.until(
    'acme',
    10_000,
    () => ++reads,
    (count) => count === 2,
  )
  await setImmediate()
  for (let change = 0; change < 100; change++) changes.notify('acme')
  expect(await found).toBe(2)
  expect(reads).toBe(2)
})

it('reads again after a change during a read', async () => {
  const changes = new ChangeSubscriptions()
  const values = [0, 1]
  const read = async () => {
    const value = values.shift()
    changes.notify('acme')
    await setImmediate()
    return value
  }
  expect(await changes.until('acme', 10_000, read, (value) => value === 1)).toBe(1)
})
