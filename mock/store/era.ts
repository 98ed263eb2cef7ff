import { randomBytes } from 'node:crypto'
import type { Era } from './port.ts'

/** Begins the era with this number, with a secret that nobody knows. */
export const newEra = (epoch: number): Era => ({ epoch, tokenSecret: randomBytes(32) })
