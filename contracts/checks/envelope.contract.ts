import { makes } from '../client/kinds.ts'
import { isUpdate, withEach } from './each-operation.ts'
import { keeps } from './keeps.ts'

keeps('envelope.idempotencyKeyIsOptional', async ({ accepts, requirement, target }, context) => {
  // Only its key finds such a record again after a crash, so on a shared server a run creates none without a key.
  const mayBe = requirement.operations.filter((operation) => target.loopback || !makes[operation]?.isKeyed)
  // Other checks update without a key all the time.
  const withoutKey = mayBe.filter((operation) => !isUpdate(operation))
  await withEach(context, (operation, input) => accepts(operation, { ...input, key: null }), withoutKey)
})

keeps('envelope.idempotencyKeyIsTaken', (context) =>
  withEach(context, (operation, input) => context.accepts(operation, { ...input, key: context.mint.key() })),
)
