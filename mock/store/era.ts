import { getRandomValues } from 'node:crypto'
import type { Era } from './port.ts'

/** Begins the era with this number, with a secret that nobody knows. */
export const newEra = (epoch: number): Era => ({ epoch, tokenSecret: getRandomValues(new Uint8Array(32)) })
