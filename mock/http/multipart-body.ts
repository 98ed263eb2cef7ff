import { createHash } from 'node:crypto'
import { finished, type Readable } from 'node:stream'
import type { BusboyInstance } from '@fastify/busboy'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { BadRequest, NotFound, refuse } from '../core/refusals.ts'
import type { Media } from '../core/operation.ts'
import type { Body } from '../rules/body-fields.ts'
import { checkDepth, checkKeys } from './json-body.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** How large a form may be. */
const limits: ByChoice<'formLimits', { readonly fields: number; readonly field: number; readonly file: number }> = {
  refused: { fields: 40, field: 64 * kibibyte, file: 16 * mebibyte },
  accepted: { fields: 1_000, field: 10 * mebibyte, file: 100 * mebibyte },
}

/** A form that every choice accepts does not rely on the choice. */
const { refused: usual, accepted: largest } = limits

/** Reads multipart forms. A file is measured and discarded; the body limit applies to everything but the file. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: Readable) => {
    const { headers, assumed, routeOptions } = request
    if (!assumed) {
      const ground = { limit: 'contentType', field: 'Content-Type' } as const // only operations take forms
      throw request.is404 ? new NotFound(ground) : new BadRequest('send a body as application/json', ground)
    }
    const { bodyLimit } = routeOptions
    const parser = await parserOf(headers['content-type'] ?? '', bodyLimit)
    try {
      const form = await readForm(payload, parser, { bodyLimit, assumed })
      request.text = form.asText()
      return form
    } finally {
      // Drains the rest, so that a client that is still sending can read the response.
      payload.unpipe(parser)
      payload.resume()
    }
  })
}

async function parserOf(contentType: string, bodyLimit: number): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy')
  const { fields, field, file } = largest
  const fieldSize = Math.min(field, bodyLimit)
  const most = { files: 1, fields, parts: fields + 5, fieldSize, fileSize: file, headerPairs: 50 }
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: most, isPartAFile })
  } catch {
    // The constructor fails only when there is no boundary.
    return refuse('Content-Type must name the boundary of the form, as in multipart/form-data; boundary=form', {
      limit: 'form',
      field: 'Content-Type',
    })
  }
}

const isPartAFile = (name?: string, contentType?: string, fileName?: string) =>
  name === 'file' || fileName !== undefined || contentType === 'application/octet-stream'

interface Bounds {
  readonly bodyLimit: number
  readonly assumed: Assumed
}

function readForm(payload: Readable, parser: BusboyInstance, { bodyLimit, assumed }: Bounds): Promise<Form> {
  const form = new Form()
  let sent = 0
  return new Promise((resolve, reject) => {
    const fail = (sentence: string) => {
      reject(new BadRequest(sentence, { limit: 'form', field: 'body' }))
    }
    const checkSize = (size: number) => {
      if (size > bodyLimit) reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    }
    const check: CheckLimit = (what, size) => {
      if (size <= usual[what]) return
      const most = limits[assumed.formLimits][what]
      if (size > most) fail(sentences[what](most))
    }
    payload.on('data', (part: Buffer) => {
      sent += part.length
      if (sent > bodyLimit) check('file', sent - bodyLimit)
    })
    finished(payload, { writable: false }, (error) => {
      if (error) fail(sentences.cut)
    })
    takeFields(parser, form, { assumed, fail, check })
    takeFile(parser, form, { assumed, fail, check })
    parser.on('partsLimit', () => {
      check('fields', Infinity)
    })
    parser.on('error', () => {
      fail(sentences.cut)
    })
    parser.on('finish', () => {
      checkSize(sent - (form.media?.bytes ?? 0))
      resolve(form)
    })
    payload.pipe(parser)
  })
}

type Fail = (sentence: string) => void
type CheckLimit = (what: keyof typeof usual, size: number) => void

interface Taking {
  readonly assumed: Assumed
  readonly fail: Fail
  readonly check: CheckLimit
}

function takeFields(parser: BusboyInstance, form: Form, { assumed, fail, check }: Taking): void {
  let fields = 0
  parser.on('field', (name: string | undefined, value, _nameIsCut, valueIsCut) => {
    check('fields', ++fields)
    check('field', valueIsCut ? Infinity : Buffer.byteLength(value))
    if (isNamed(name, fail, assumed)) form.add(name, value)
  })
  parser.on('fieldsLimit', () => {
    check('fields', Infinity)
  })
}

function takeFile(parser: BusboyInstance, form: Form, { assumed, fail, check }: Taking): void {
  parser.on('file', (name: string | undefined, file) => {
    const digest = createHash('sha256')
    let bytes = 0
    file.on('data', (part: Buffer) => {
      bytes += part.length
      check('file', bytes)
      digest.update(part)
    })
    file.on('end', () => {
      if (!isNamed(name, fail, assumed)) return
      // A file under another name becomes an (unknown) field. Browsers send an empty file when none was chosen.
      if (name !== 'file') form.add(name, '')
      else if (bytes > 0) form.media = { bytes, digest: digest.digest('base64') }
    })
    file.on('limit', () => {
      check('file', Infinity)
    })
    file.on('error', () => {
      fail(sentences.cut)
    })
  })
  parser.on('filesLimit', () => {
    fail(sentences.files)
  })
}

function isNamed(name: string | undefined, fail: Fail, assumed: Assumed): name is string {
  if (name === undefined) fail(sentences.unnamed)
  else if (name === '__proto__') prototypeField[assumed.unusualJson](fail)
  else return true
  return false
}

const prototypeField: ByChoice<'unusualJson', (fail: Fail) => void> = {
  refused: (fail) => {
    fail('a form must not hold a field __proto__')
  },
  accepted: () => undefined,
}

const sentences = {
  cut: 'the form must be whole, and end with its boundary',
  files: 'a form may hold one file',
  fields: (most: number) => `a form may hold ${most} fields`,
  field: (most: number) => `a field of a form must not be larger than ${most / kibibyte} KiB`,
  file: (most: number) => `file must not be larger than ${most / mebibyte} MiB`,
  unnamed: 'each field of a form must have a name',
}

/** A multipart form: its text fields by name, a repeated name as a list, and its file. */
export class Form {
  /** Without a prototype, so that no field name reaches an inherited property. */
  readonly fields = Object.create(null) as Record<string, string | string[]>
  media: Media | undefined

  /** As JSON, with the size of the file instead of its content. */
  asText(): string {
    const { media } = this
    return JSON.stringify(media ? { ...this.fields, file: `${media.bytes} bytes` } : this.fields)
  }

  add(name: string, value: string): void {
    const before = this.fields[name]
    this.fields[name] = before === undefined ? value : [before, value].flat()
  }
}

/** The fields of a form as in a JSON body: `templateButtons` arrives as the text of a JSON list. */
export function fieldsAsJson(fields: Body, assumed: Assumed): Body {
  const { templateButtons } = fields
  return typeof templateButtons === 'string'
    ? { ...fields, templateButtons: buttonsIn(templateButtons, assumed) }
    : fields
}

function buttonsIn(text: string, assumed: Assumed): unknown {
  checkDepth(text, 'templateButtons', assumed)
  return checkKeys(parse(text), text, 'templateButtons', assumed)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return refuse('templateButtons must be a JSON list, such as [{"type":"QUICK_REPLY","text":"Thanks"}]', {
      promise: 'template.buttonsInAFormAreText',
      field: 'templateButtons',
    })
  }
}
