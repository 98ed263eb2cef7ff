import { expect } from 'vitest'
import { makes } from '../../client/kinds.ts'
import type { Fields } from '../../client/answer.ts'
import { withEach, withEachAnswer, withEachRefusal, withEachSuccess } from './each-operation.ts'
import { keeps } from './keeps.ts'

const anyText: unknown = expect.any(String)
const anyObject: unknown = expect.any(Object)

keeps('envelope.pathsAreFixed', async (context) => {
  await withEachAnswer(context, (_, { status }) => {
    expect([404, 405]).not.toContain(status)
  })
})

/** Values for fields that an envelope may lack. */
const optional = { success: true, message: '', data: {}, meta: {} }

const shapes = {
  'envelope.successIsTrue': { success: true },
  'envelope.messageIsText': { message: anyText },
  'envelope.dataIsStructured': { data: anyObject },
  'envelope.paginationStandsBesideData': { data: expect.any(Array) as unknown, pagination: anyObject },
} as const

for (const [id, shape] of Object.entries(shapes) as [keyof typeof shapes, object][])
  keeps(id, async (context) => {
    const look = (fields: Fields) => {
      expect({ ...optional, ...fields }).toMatchObject(shape)
    }
    await withEachSuccess(context, look, context.requirement.operations)
  })

keeps('envelope.metaIsAnObject', async (context) => {
  const look = ({ meta }: Fields) => {
    expect(meta ?? {}).toEqual(anyObject)
    expect(meta).not.toBeInstanceOf(Array)
  }
  await withEachSuccess(context, look)
  await withEachRefusal(context, look)
})

keeps('envelope.outcomeIsStated', async (context) => {
  const look = (fields: Fields) => {
    expect(fields).toMatchObject({ success: true, message: anyText })
  }
  await withEachSuccess(context, look, context.requirement.operations)
})

keeps('envelope.outcomeStandsAlone', async (context) => {
  const look = ({ data }: Fields) => {
    expect(data ?? undefined).toBeUndefined()
  }
  await withEachSuccess(context, look, context.requirement.operations)
})

keeps('envelope.answersAreJson', async (context) => {
  const look: Parameters<typeof withEachSuccess>[1] = (_, { body }) => {
    expect(body).toBeDefined()
  }
  await withEachSuccess(context, look)
  await withEachRefusal(context, look)
})

keeps('envelope.idempotencyKeyIsOptional', async (context) => {
  const { accepts, requirement, target } = context
  // Only its key finds such a record again after a crash, so on a shared server a run creates none without a key.
  const withoutKey = requirement.operations.filter((operation) => target.loopback || !makes[operation]?.isKeyed)
  await withEach(context, (operation, input) => accepts(operation, { ...input, key: null }), withoutKey)
})

keeps('envelope.idempotencyKeyIsTaken', async (context) => {
  const { accepts, mint, requirement } = context
  await withEach(
    context,
    (operation, input) => accepts(operation, { ...input, key: mint.key() }),
    requirement.operations,
  )
})
