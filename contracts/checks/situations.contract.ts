import { inject, test } from 'vitest'
import { promises } from '../../spec/promises.ts'
import type { Exchanges } from '../judge/outcome.ts'
import { isSelected } from '../selection.ts'
import { checked, started } from './keeps.ts'
import { oldRecords } from '../situations/refusals.ts'
import { situations, storiesAbout } from '../situations/situations.ts'

declare module 'vitest' {
  interface TaskMeta {
    situations?: readonly Exchanges[]
  }
}

test('situations', async ({ task, skip }) => {
  const { situations: wanted, target, selection, isDry = false } = inject('verification')
  if (!wanted || isDry) return skip()
  const { seed, most = Infinity, which } = wanted
  const { situate } = started().session
  if (which === 'unchecked') {
    const unchecked = promises.filter((one) => isSelected(one, selection) && !checked.has(one.id))
    const about = unchecked.map(({ id }) => id)
    task.meta.situations = await situate(storiesAbout(unchecked, seed, target), about)
    return
  }
  const selected = promises.filter((one) => isSelected(one, selection))
  // The checks of a whole run ask for each operation.
  const all =
    selected.length === promises.length
      ? situations(seed).flatMap(({ about, story }) => (about === 'operations' ? [] : [story]))
      : storiesAbout(selected, seed, { loopback: true })
  // Of each kind, if not all of them.
  const share = Math.min(1, most / all.length)
  const stories = all.filter((_, index) => Math.ceil((index + 1) * share) > Math.ceil(index * share))
  task.meta.situations = [...(await situate(stories)), ...(await situate([oldRecords]))]
})
