import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { updates } from '../../spec/operation-groups.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'
import { type Body, without } from './body-fields.ts'
import { fieldsToKeep } from './required-fields.ts'

/** The specification does not say what null means, nor how an update clears a field. */
export function acceptNulls(body: Body, id: OperationId, assumed: Assumed): Body {
  if (!Object.values(body).includes(null)) return body
  const nulls = Object.keys(body).filter((field) => body[field] === null && !mayBeNull(field, id))
  return nulls.length === 0 ? body : nullField[assumed.nullField](body, nulls, id)
}

/** promise message.liveMediaMayBeNull: the media of a live chat message may be null. */
const mayBeNull = (field: string, id: OperationId) =>
  id === 'sendLiveMessage' && promise('message.liveMediaMayBeNull').fields.some((known) => known === field)

const nullField: ByChoice<'nullField', (body: Body, nulls: readonly string[], id: OperationId) => Body> = {
  // A field may have any type that the document does not list.
  refused: (_body, [first = 'a field']) =>
    refuse(`${first.slice(0, 60)} must not be null; leave it out`, { assumption: 'nullField', field: first }),
  omitted: without,
  cleared: (body, nulls, id) => (isUpdate(id) ? clear(body, nulls, id) : without(body, nulls)),
}

const isUpdate = (id: OperationId) => updates.some((update) => update === id)

/** A field that is undefined is one that the update removes. */
function clear(body: Body, nulls: readonly string[], id: OperationId): Body {
  const kept = nulls.find((field) => fieldsToKeep(id, body).includes(field) || field === 'templateType')
  if (kept !== undefined) refuse(`${kept} is required and cannot be cleared`, { assumption: 'nullField', field: kept })
  return { ...body, ...Object.fromEntries(nulls.map((field) => [field, undefined])) }
}
