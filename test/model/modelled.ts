import type fc from 'fast-check'
import type { OperationId } from '../../spec/types.ts'
import type { Asked, Reply, TeamModel } from './team-model.ts'

/** A generated request, with symbolic names for ids. */
export interface Wanted {
  readonly path?: object
  readonly query?: object
  readonly body?: object
}

/** An operation in the model: a generator of requests, and the expected answers. */
export interface Modelled {
  readonly asks: fc.Arbitrary<Wanted>
  readonly answers: (team: TeamModel, asked: Asked) => Reply
}

export type Group<Id extends OperationId> = Readonly<Record<Id, Modelled>>
