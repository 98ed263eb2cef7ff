import { expect, it, onTestFinished } from 'vitest'
import { createTarget, redactorFor } from '../../client/target/target.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const targetWith = (...header: string[]) => createTarget({ baseUrl: 'http://127.0.0.1', header }, {})

it.each([
  [
    `authorization-of-gateway: Basic ${base64('ada:Analytical-Engine')}`,
    ['Analytical-Engine', base64('ada:Analytical-Engine')],
  ],
  ['cookie: session=k3x9pq; theme=dark', ['k3x9pq']],
  ['x-gateway: Bearer tok-en9', ['tok-en9']],
])('hides what a gateway may repeat of the header %s', (header, parts) => {
  const redact = redactorFor(targetWith(header))
  for (const part of parts) expect(redact(`It says ${part}.`)).toBe('It says [redacted].')
})

it('hides the password of a proxy', () => {
  process.env.HTTPS_PROXY = 'http://ada:engine%2Fno1@proxy:8080'
  onTestFinished(() => {
    delete process.env.HTTPS_PROXY
  })
  const redact = redactorFor(targetWith())
  for (const spelled of ['engine/no1', 'engine%2Fno1', base64('ada:engine/no1')])
    expect(redact(`It says ${spelled}.`)).toBe('It says [redacted].')
})
