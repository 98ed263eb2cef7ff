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
  const { situations: wanted, target, isDry = false } = inject('verification')
  if (!wanted || isDry) return skip()
  const stories = situations(wanted.seed).slice(0, wanted.most)
  task.meta.situations = await started().session.situate(
    stories.map(({ story }) => story),
    target.concurrency,
  )
})
