import type { World } from '../../index.ts'

/** The records of a world, without what a server remembers of keys and deletes. */
export const recordsIn = ({ teams }: World) => teams.map(({ answers, deleted, ...team }) => team)
