import type fc from 'fast-check'
import type { OperationId } from '../../spec/types.ts'
import type { Asked, Reply, TeamModel } from './team-model.ts'

/** A request as it is thought up, with names in the place of ids. */
export interface Wanted {
  readonly path?: object
  readonly query?: object
  readonly body?: object
}

/** An operation in the model: what may be asked of it, and what must be answered. */
export interface Modelled {
  readonly asks: fc.Arbitrary<Wanted>
  readonly answers: (team: TeamModel, asked: Asked) => Reply
}

export type Group<Id extends OperationId> = Readonly<Record<Id, Modelled>>
