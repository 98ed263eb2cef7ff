import { done } from '../core/replies.ts'
import { fields } from './body-reader.ts'
import type { ControlRoute } from './route.ts'

const nothing = fields({})

export const reset: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/reset',
    async answer(controls, { body }) {
      nothing(body)
      await controls.reset()
      return done('Everything is as it was at the start')
    },
  },
]
