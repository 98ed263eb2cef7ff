import type { World } from '../../index.ts'

/** The records of a world, without the stored answers and deletions. */
export const recordsIn = ({ teams }: World) => teams.map(({ answers, deleted, ...team }) => team)
