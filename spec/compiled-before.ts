import type { ValidateFunction } from 'ajv/dist/2020.js'

/** A validator that was compiled when the bundle was made. There this file is another one; here nothing was. */
export function compiledBefore(_key: string): ValidateFunction | undefined {
  return undefined
}
