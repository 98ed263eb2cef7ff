import { makes } from '../client/kinds.ts'
import { withEach } from './each-operation.ts'
import { keeps } from './keeps.ts'

keeps('envelope.idempotencyKeyIsOptional', async ({ accepts, requirement, target }, context) => {
  // Only its key finds such a record again after a crash, so on a shared server a run creates none without a key.
  const withoutKey = requirement.operations.filter((operation) => target.loopback || !makes[operation]?.isKeyed)
  await withEach(context, (operation, input) => accepts(operation, { ...input, key: null }), withoutKey)
})

keeps('envelope.idempotencyKeyIsTaken', (context) =>
  withEach(context, (operation, input) => context.accepts(operation, { ...input, key: context.mint.key() })),
)
