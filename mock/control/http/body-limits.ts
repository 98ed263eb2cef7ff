import type { ControlId } from '../../../control/types.ts'

const mebibyte = 1024 * 1024

export const usualBodyLimit = mebibyte

/** Operations that take a whole world. */
export const bodyLimits: Readonly<Partial<Record<ControlId, number>>> = {
  loadWorld: 64 * mebibyte,
  addWorld: 64 * mebibyte,
  createTeam: 64 * mebibyte,
  uploadSnapshot: 64 * mebibyte,
}
