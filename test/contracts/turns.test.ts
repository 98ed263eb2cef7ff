import { expect, it } from 'vitest'
import { Turns } from '../../contracts/judge/turns.ts'

/** Runs such work for each name in turn, and notes which others run whenever one begins. */
async function runAll(names: readonly string[], width: number) {
  const turns = new Turns(width)
  const running = new Set<string>()
  const began: string[] = []
  const begin = (name: string) => {
    running.add(name)
    began.push([...running].join(' '))
  }
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve))
  await Promise.all(
    names.map(async (name) => {
      await turns.take(name.startsWith('last'))
      begin(name)
      await pause()
      if (name.startsWith('waits')) {
        running.delete(name)
        await turns.passDuring(pause())
        begin(name)
      }
      if (name.startsWith('alone')) {
        running.delete(name)
        await turns.beAlone()
        begin(name)
        await pause()
      }
      running.delete(name)
      turns.pass()
    }),
  )
  return began
}

it('runs as many checks at a time as it may, and those about whole lists alone after the others', async () => {
  const began = await runAll(['a', 'last one', 'b', 'c', 'last two'], 2)
  expect(began).toEqual(['a', 'a b', expect.stringMatching(/c$/), 'last one', 'last two'])
})

it('runs a check that is tried again alone, and the others after it', async () => {
  const began = await runAll(['alone', 'a', 'b', 'c'], 2)
  expect(began.filter((one) => one.includes('alone'))).toEqual(['alone', 'alone a', 'alone'])
  expect(began).toHaveLength(5)
})

it('lets others run while a check waits, and ends with all of them', async () => {
  const began = await runAll(['waits', 'a', 'last', 'b'], 1)
  expect(began).toEqual(['waits', 'a', 'waits', 'b', 'last'])
})
