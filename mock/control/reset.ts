import { done } from '../core/replies.ts'
import { bodyReader } from './body-reader.ts'
import type { ControlRoute } from './route.ts'

const readNothing = bodyReader({})

export const reset: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/reset',
    async answer({ reset }, { body }) {
      readNothing(body)
      await reset()
      return done('Everything is as it was at the start')
    },
  },
]
