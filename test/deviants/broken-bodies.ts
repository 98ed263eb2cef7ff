import * as bodies from '../../mock/rules/request-body.ts'
import { operations, type Shape } from '../../spec/operations.ts'
import type { BodyOf, OperationId } from '../../spec/types.ts'
import { type Break, replaceIn } from './broken-places.ts'

// The rules of the document for a body are in no line of the mock: so its check is broken, or the body before it.

const json = 'application/json'

/** The check of a JSON body passes where it would complain in these words. */
export function ignoreComplaint(id: OperationId, complaint: string): Break {
  return changeShape(id, json, (shape) => ({
    ...shape,
    complaint: (body) => {
      const complained = shape.complaint(body)
      return complained?.sentence.includes(complaint) ? undefined : complained
    },
  }))
}

/** A body of the operation is checked in another way. */
export function changeShape(id: OperationId, contentType: string, change: (shape: Shape) => Shape): Break {
  return replaceIn(operations[id], 'body', (original) => (sent) => {
    const shape = original(sent)
    return shape && sent === contentType ? change(shape) : shape
  })
}

/** A body of the operation is changed before it is checked. */
export function changeUncheckedBody<Id extends OperationId>(
  id: Id,
  change: (body: Unchecked<BodyOf<Id>>) => Unchecked<BodyOf<Id>>,
): Break {
  return replaceIn(bodies, 'normalizeBody', (original) => (body, operation, assumed) => {
    const isMeant = operation === id && typeof body === 'object' && body !== null
    return original(isMeant ? change(body as Unchecked<BodyOf<Id>>) : body, operation, assumed)
  })
}

type Unchecked<Body> = Readonly<Partial<Record<FieldOf<Body>, unknown>>>
type FieldOf<Body> = Body extends unknown ? keyof Body : never
