import { createHash } from 'node:crypto'
import { finished, type Readable, Transform } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { BusboyInstance } from '@fastify/busboy'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Media } from '../core/operation.ts'
import { BadRequest, refuse } from '../core/refusals.ts'
import type { Body } from './request.ts'
import { checkKeys, readJson, refuseCompressed } from './json-body.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** The largest number of fields of a form, and the most bytes of a field and of the file: limits of the sandbox. */
const limits = { fields: 40, field: 64 * kibibyte, file: 16 * mebibyte }

type Size = Readonly<typeof limits>

const tooMuch: Readonly<Record<keyof Size, string>> = {
  fields: `a form may hold ${limits.fields} fields`,
  field: `a field of a form must not be larger than ${limits.field / kibibyte} KiB`,
  file: `file must not be larger than ${limits.file / mebibyte} MiB`,
}

const ground = { limit: 'form', field: 'body' } as const
const notWhole = () => new BadRequest('the form must be whole, and end with its boundary', ground)

/** Reads multipart forms. A file is measured and discarded; the body limit applies to everything but the file. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: Readable) => {
    const { headers, assumed, routeOptions } = request
    if (!assumed) {
      const ground = { limit: 'contentType', field: 'Content-Type' } as const // only operations take forms
      throw new BadRequest('send a body as application/json', ground)
    }
    refuseCompressed(headers)
    const parser = await parserOf(headers['content-type'] ?? '', routeOptions.bodyLimit)
    const pieces = inPieces()
    pieces.pipe(parser)
    try {
      const { form, size } = await readForm(payload, pieces, parser, routeOptions.bodyLimit)
      checkSize(size)
      checkKeys(form.fields, 'a form')
      request.text = form.asText()
      return form
    } finally {
      // Drains the rest, so that a client that is still sending can read the response.
      payload.unpipe(pieces)
      pieces.destroy()
      payload.resume()
    }
  })
}

const pieceLength = 16 * kibibyte

/** Others run between the pieces of a long part: the parser reads each at once, and in process a form is one part. */
function inPieces(): Transform {
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      pushPieces(this, part).then(() => done(), done)
    },
  })
}

async function pushPieces(to: Transform, part: Buffer): Promise<void> {
  for (let at = 0; at < part.length && !to.destroyed; at += pieceLength) {
    if (at > 0) await setImmediate()
    to.push(part.subarray(at, at + pieceLength))
  }
}

async function parserOf(contentType: string, bodyLimit: number): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy')
  const { fields, field, file } = limits
  const most = { files: 1, fields, parts: fields + 5, fieldSize: Math.min(field, bodyLimit), fileSize: file }
  const isPartAFile = (name?: string, type?: string, fileName?: string) =>
    name === 'file' || fileName !== undefined || type === 'application/octet-stream'
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

/** Resolves to the form and its size, which is infinite where it is above a limit. */
function readForm(
  payload: Readable,
  pieces: Transform,
  parser: BusboyInstance,
  bodyLimit: number,
): Promise<{ form: Form; size: Size }> {
  const form = new Form()
  const size = { fields: 0, field: 0, file: 0 }
  let sent = 0
  let inFields = 0
  return new Promise((resolve, reject) => {
    const refuseUnnamed = (name: string | undefined): name is string => {
      if (name === undefined) reject(new BadRequest('each field of a form must have a name', ground))
      return name !== undefined
    }
    payload.on('data', (part: Buffer) => {
      sent += part.length
    })
    finished(payload, { writable: false }, (error) => {
      if (error) reject(notWhole())
    })
    const checkBodyLimit = (bytes: number) => {
      if (bytes > bodyLimit) reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    }
    parser.on('field', (name: string | undefined, value, _nameIsCut, valueIsCut) => {
      size.fields++
      size.field = Math.max(size.field, valueIsCut ? Infinity : Buffer.byteLength(value))
      checkBodyLimit((inFields += value.length))
      if (refuseUnnamed(name)) form.add(name, value)
    })
    parser.on('file', (name: string | undefined, file) => {
      const digest = createHash('sha256')
      file.on('data', (part: Buffer) => {
        size.file += part.length
        digest.update(part)
      })
      file.on('end', () => {
        if (!refuseUnnamed(name)) return
        // A file under another name becomes an (unknown) field. Browsers send an empty file when none was chosen.
        if (name !== 'file') form.add(name, '')
        else if (size.file > 0) form.media = { bytes: size.file, digest: digest.digest('base64') }
      })
      file.on('limit', () => {
        size.file = Infinity
      })
      file.on('error', () => reject(notWhole()))
    })
    for (const limit of ['fieldsLimit', 'partsLimit'] as const)
      parser.on(limit, () => reject(new BadRequest(tooMuch.fields, ground)))
    parser.on('filesLimit', () => reject(new BadRequest('a form may hold one file', ground)))
    parser.on('error', () => reject(notWhole()))
    parser.on('finish', () => {
      checkBodyLimit(sent - size.file)
      resolve({ form, size })
    })
    payload.pipe(pieces)
  })
}

function checkSize(size: Size): void {
  for (const what of ['fields', 'field', 'file'] as const) if (size[what] > limits[what]) refuse(tooMuch[what], ground)
}

/** A multipart form: its text fields by name, a repeated name as a list, and its file. */
export class Form {
  /** Without a prototype, so that no field name reaches an inherited property. */
  fields = Object.create(null) as Record<string, string | string[]>
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
export function fieldsAsJson(fields: Body): Body {
  const { templateButtons } = fields
  if (typeof templateButtons !== 'string') return fields
  const buttons = readJson(templateButtons, 'templateButtons')
  if (buttons === undefined)
    refuse('templateButtons must be a JSON list, such as [{"type":"QUICK_REPLY","text":"Thanks"}]', {
      promise: 'template.buttonsInAFormAreText',
      field: 'templateButtons',
    })
  return { ...fields, templateButtons: buttons }
}
