import { createHash } from 'node:crypto'
import { finished, type Readable } from 'node:stream'
import type { BusboyInstance } from '@fastify/busboy'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { BadRequest, refuse } from '../core/refusals.ts'
import { Form, noPrototype } from './form.ts'

const kibibyte = 1024
const largestFile = 16 * kibibyte * kibibyte

const limits = {
  files: 1,
  fields: 40,
  parts: 45,
  fieldSize: 64 * kibibyte,
  fileSize: largestFile,
  headerPairs: 50,
}

/** Reads multipart forms. A file is measured and discarded; the body limit applies to everything but the file. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: Readable) => {
    const parser = await parserOf(request.headers['content-type'] ?? '')
    try {
      const form = await readForm(payload, parser, request.routeOptions.bodyLimit)
      request.text = form.asText()
      return form
    } finally {
      // Drains the rest, so that a client that is still sending gets to read the answer.
      payload.unpipe(parser)
      payload.resume()
    }
  })
}

async function parserOf(contentType: string): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy')
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits, isPartAFile })
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

function readForm(payload: Readable, parser: BusboyInstance, bodyLimit: number): Promise<Form> {
  const form = new Form()
  let sent = 0
  return new Promise((resolve, reject) => {
    const fail = (sentence: string) => {
      reject(new BadRequest(sentence, { limit: 'form', field: 'body' }))
    }
    const checkSize = (size: number) => {
      if (size > bodyLimit) reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    }
    payload.on('data', (part: Buffer) => {
      sent += part.length
      checkSize(sent - largestFile)
    })
    finished(payload, { writable: false }, (error) => {
      if (error) fail(sentences.cut)
    })
    takeFields(parser, form, fail)
    takeFile(parser, form, fail)
    parser.on('partsLimit', () => {
      fail(sentences.fields)
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

function takeFields(parser: BusboyInstance, form: Form, fail: Fail): void {
  parser.on('field', (name: string | undefined, value, _nameIsCut, valueIsCut) => {
    if (isNamed(name, fail)) form.add(name, value)
    if (valueIsCut) fail(sentences.fieldSize)
  })
  parser.on('fieldsLimit', () => {
    fail(sentences.fields)
  })
}

function takeFile(parser: BusboyInstance, form: Form, fail: Fail): void {
  parser.on('file', (name: string | undefined, file) => {
    const digest = createHash('sha256')
    let bytes = 0
    file.on('data', (part: Buffer) => {
      bytes += part.length
      digest.update(part)
    })
    file.on('end', () => {
      if (!isNamed(name, fail)) return
      // A file under another name becomes an (unknown) field. Browsers send an empty file when none was chosen.
      if (name !== 'file') form.add(name, '')
      else if (bytes > 0) form.media = { bytes, digest: digest.digest('base64') }
    })
    file.on('limit', () => {
      fail(sentences.fileSize)
    })
    file.on('error', () => {
      fail(sentences.cut)
    })
  })
  parser.on('filesLimit', () => {
    fail(sentences.files)
  })
}

function isNamed(name: string | undefined, fail: Fail): name is string {
  if (name === undefined) fail(sentences.unnamed)
  else if (name === '__proto__') fail(noPrototype)
  else return true
  return false
}

const sentences = {
  cut: 'the form must be whole, and end with its boundary',
  files: 'a form may hold one file',
  fields: `a form may hold ${limits.fields} fields`,
  fieldSize: 'a field of a form must not be larger than 64 KiB',
  fileSize: 'file must not be larger than 16 MiB',
  unnamed: 'each field of a form must have a name',
}
