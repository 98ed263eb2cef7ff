import { constants } from 'node:buffer'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { BadRequest } from '../core/refusals.ts'

const mebibyte = 1024 * 1024

/** The largest body in bytes. A body is read as one string, so `none` is V8's longest string. */
export const bodyLimit: ByChoice<'bodyLimit', number> = {
  oneMiB: mebibyte,
  tenMiB: 10 * mebibyte,
  none: constants.MAX_STRING_LENGTH,
}

const smallest = Math.min(...Object.values(bodyLimit))

/** A body that every choice accepts does not rely on the choice. */
export function checkSize(bytes: number, assumed: Assumed): void {
  if (bytes > smallest && bytes > bodyLimit[assumed.bodyLimit]) throw tooLarge(assumed)
}

export function tooLarge(assumed: Assumed): BadRequest {
  return new BadRequest(sentences[assumed.bodyLimit], { assumption: 'bodyLimit', field: 'body' })
}

const sentences: ByChoice<'bodyLimit', string> = {
  oneMiB: 'the body must not be larger than 1 MiB',
  tenMiB: 'the body must not be larger than 10 MiB',
  none: 'the body is larger than this server can hold',
}
