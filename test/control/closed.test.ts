import { expect, it } from 'vitest'
import { openSandbox } from '../mock/harness.ts'

type Action = () => Promise<unknown>

const others = ['fetch', 'close', 'requests.follow', 'events.follow']

it('is steered no more once it is closed', async () => {
  const { sandbox } = await openSandbox()
  await sandbox.close()
  const actions = actionsIn(sandbox).filter(([name]) => !others.includes(name))
  expect(actions.length).toBeGreaterThan(50)
  for (const [name, action] of actions) {
    await expect(action(), name).rejects.toThrow('This sandbox is closed')
  }
  await expect(sandbox.requests.follow().next()).rejects.toThrow('This sandbox is closed')
})

/** Those of members too: `teams` is a function that has functions. */
function actionsIn(members: object, prefix = ''): readonly (readonly [string, Action])[] {
  return Object.entries(members).flatMap(([name, member]: [string, unknown]) => [
    ...(typeof member === 'function' ? [[prefix + name, member as Action] as const] : []),
    ...(isHolder(member) ? actionsIn(member, `${prefix}${name}.`) : []),
  ])
}

const isHolder = (member: unknown): member is object =>
  (typeof member === 'object' && member !== null) || typeof member === 'function'
