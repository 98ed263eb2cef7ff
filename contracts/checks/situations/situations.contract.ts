import { inject, test } from 'vitest'
import type { Exchanges } from '../../judge/outcome.ts'
import { started } from '../keeps.ts'
import { situations } from './situations.ts'

declare module 'vitest' {
  interface TaskMeta {
    situations?: readonly Exchanges[]
  }
}

test('situations', async ({ task, skip }) => {
  const { situations: wanted, isDry = false } = inject('verification')
  if (!wanted || isDry) return skip()
  const all = situations(wanted.seed)
  // Of each kind, if not all of them.
  const share = Math.min(1, (wanted.most ?? Infinity) / all.length)
  const stories = all.filter((_, index) => Math.floor((index + 1) * share) > Math.floor(index * share))
  task.meta.situations = await started().session.situate(stories.map(({ story }) => story))
})
