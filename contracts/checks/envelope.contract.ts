import { makes } from '../client/kinds.ts'
import { affordable } from '../client/operations.ts'
import { each, isUpdate, withEach } from './each-operation.ts'
import { createScene, sendWithKey } from './effects.ts'
import { keeps } from './keeps.ts'

keeps('envelope.idempotencyKeyIsOptional', async ({ accepts, requirement, target }, context) => {
  // Other checks send the other requests without a key all the time. Only its key finds such a record again after a crash,
  // so on a shared server a run creates none without a key.
  const withoutKey = requirement.operations.filter(
    (operation) => !isUpdate(operation) && (makes[operation]?.isKeyed ?? false) === target.loopback,
  )
  await withEach(context, (operation, input) => accepts(operation, { ...input, key: null }), withoutKey)
})

keeps('envelope.idempotencyKeyIsTaken', async (context) => {
  const scene = createScene(context)
  await each(affordable(context, context.requirement.operations), (operation) =>
    sendWithKey(operation, context, scene, context.accepts),
  )
})
