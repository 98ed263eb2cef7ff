import { expect } from 'vitest'
import { makes } from '../client/kinds.ts'
import { withEach, withEachAnswer, withEachRefusal } from './each-operation.ts'
import { keeps } from './keeps.ts'

keeps('envelope.pathsAreFixed', async (context) => {
  const expectPath = ({ status }: { readonly status: number }) => expect([404, 405]).not.toContain(status)
  await withEachAnswer(context, expectPath, context.call)
})

for (const id of [
  'envelope.successIsTrue',
  'envelope.messageIsText',
  'envelope.dataIsStructured',
  'envelope.paginationStandsBesideData',
  'envelope.outcomeIsStated',
  'envelope.outcomeStandsAlone',
] as const)
  keeps(id, (context) => withEachAnswer(context, context.inspects))

for (const id of ['envelope.metaIsAnObject', 'envelope.answersAreJson'] as const)
  keeps(id, async (context) => {
    await withEachAnswer(context, context.inspects)
    await withEachRefusal(context, context.inspects)
  })

keeps('envelope.idempotencyKeyIsOptional', async ({ accepts, requirement, target }, context) => {
  // Only its key finds such a record again after a crash, so on a shared server a run creates none without a key.
  const withoutKey = requirement.operations.filter((operation) => target.loopback || !makes[operation]?.isKeyed)
  await withEach(context, (operation, input) => accepts(operation, { ...input, key: null }), withoutKey)
})

keeps('envelope.idempotencyKeyIsTaken', (context) =>
  withEach(context, (operation, input) => context.accepts(operation, { ...input, key: context.mint.key() })),
)
