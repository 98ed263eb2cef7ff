import type { ControlId } from '../../../control/types.ts'

const mebibyte = 1024 * 1024

export const usualBodyLimit = mebibyte

/** Operations that take a whole world. */
export const bodyLimits: Readonly<Partial<Record<ControlId, number>>> = {}
