import { it } from 'vitest'
import { openSandbox } from './harness.ts'
import { openSocket, untilClosed, sendRaw } from './raw.ts'

it('scratch', async () => {
  const { sandbox } = await openSandbox({ port: 0 })
  const raw = async (name: string, text: string) => {
    const s = await openSocket(sandbox.url)
    const chunks: Buffer[] = []
    s.on('data', (c) => chunks.push(c))
    s.write(text, 'latin1')
    const closed = new Promise((r) => s.once('close', () => r('closed')))
    const how = await Promise.race([closed, new Promise((r) => setTimeout(() => r('open'), 400))])
    console.log(name, how, JSON.stringify(Buffer.concat(chunks).toString().slice(0, 600)))
    s.destroy()
  }
  const h = 'Host: localhost\r\nx-api-key: acme-key\r\n'
  const p = JSON.stringify({ name: 'a', unitPrice: 1 })
  const j = `content-type: application/json\r\ncontent-length: ${p.length}\r\n`
  for (const m of ['HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY', 'PROPFIND', 'CONNECT', 'PURGE', 'FOO', 'get'])
    await raw(m, `${m} /api/products HTTP/1.1\r\n${h}\r\n`)
  await raw('CONNECT host', `CONNECT localhost:80 HTTP/1.1\r\n${h}\r\n`)
  await raw('upgrade ws', `GET /api/templates HTTP/1.1\r\n${h}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`)
  await raw('expect', `POST /api/products HTTP/1.1\r\n${h}${j}Expect: 100-continue\r\n\r\n${p}`)
  await raw('expect nokey', `POST /api/products HTTP/1.1\r\nHost: localhost\r\n${j}Expect: 100-continue\r\n\r\n`)
  await raw('expect other', `POST /api/products HTTP/1.1\r\n${h}${j}Expect: tea\r\n\r\n${p}`)
  await raw('te+cl', `POST /api/products HTTP/1.1\r\n${h}${j}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)
  await raw('te gzip', `POST /api/products HTTP/1.1\r\n${h}content-type: application/json\r\nTransfer-Encoding: gzip\r\n\r\n${p}`)
  await raw('te gzip,chunked', `POST /api/products HTTP/1.1\r\n${h}content-type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`)
  await raw('two cl', `POST /api/products HTTP/1.1\r\n${h}${j}content-length: 3\r\n\r\n${p}`)
  await raw('neg cl', `POST /api/products HTTP/1.1\r\n${h}content-length: -3\r\n\r\n${p}`)
  await raw('cl too long', `POST /api/products HTTP/1.1\r\n${h}content-length: 99999999999999999999999\r\n\r\n${p}`)
  await raw('http/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`)
  await raw('http/0.9', `GET /\r\n`)
  await raw('http/1.0', `GET /api/templates HTTP/1.0\r\n\r\n`)
  await raw('http/1.0 host', `GET /api/templates HTTP/1.0\r\n${h}\r\n`)
  await raw('http/3.7', `GET /api/templates HTTP/3.7\r\n${h}\r\n`)
  await raw('obs-fold', `GET /api/templates HTTP/1.1\r\n${h}x-a: 1\r\n  2\r\n\r\n`)
  await raw('nul in header', `GET /api/templates HTTP/1.1\r\n${h}x-a: \0\r\n\r\n`)
  await raw('space before colon', `GET /api/templates HTTP/1.1\r\n${h}x-a : 1\r\n\r\n`)
  await raw('nul in path', `GET /api/templates/\0 HTTP/1.1\r\n${h}\r\n`)
  await raw('%00 in path', `GET /api/templates/%00 HTTP/1.1\r\n${h}\r\n`)
  await raw('bad pct', `GET /api/templates/%ZZ HTTP/1.1\r\n${h}\r\n`)
  await raw('bad utf8', `GET /api/templates/%ff%fe HTTP/1.1\r\n${h}\r\n`)
  await raw('raw utf8 path', `GET /api/templates/\xe9 HTTP/1.1\r\n${h}\r\n`)
  await raw('space in path', `GET /api/templates/a b HTTP/1.1\r\n${h}\r\n`)
  await raw('empty id', `PUT /api/contacts/ HTTP/1.1\r\n${h}${j}\r\n${p}`)
  await raw('double slash', `PUT /api//contacts HTTP/1.1\r\n${h}${j}\r\n${p}`)
  await raw('dots', `GET /api/../api/templates/x HTTP/1.1\r\n${h}\r\n`)
  await raw('semicolon', `GET /api/templates;x=1 HTTP/1.1\r\n${h}\r\n`)
  await raw('long', `GET /api/templates/${'a'.repeat(15000)} HTTP/1.1\r\n${h}\r\n`)
  await raw('header overflow', `GET /api/templates/${'a'.repeat(20000)} HTTP/1.1\r\n${h}\r\n`)
  await raw('many headers', `GET /api/templates/x HTTP/1.1\r\n${h}${Array.from({length: 2500}, (_, i) => `a${i}: 1\r\n`).join('')}\r\n`)
  await raw('unknown path text', `POST /nowhere HTTP/1.1\r\n${h}content-type: text/plain\r\ncontent-length: 1\r\n\r\nx`)
  await raw('unknown path bad json', `POST /nowhere HTTP/1.1\r\n${h}content-type: application/json\r\ncontent-length: 1\r\n\r\n{`)
  await raw('unknown path bad ct', `POST /nowhere HTTP/1.1\r\n${h}content-type: @@@\r\ncontent-length: 1\r\n\r\n{`)
  await raw('unknown path big', `POST /nowhere HTTP/1.1\r\n${h}content-type: application/json\r\ncontent-length: 2000000\r\n\r\n{`)
  await raw('pipelined', `POST /api/products HTTP/1.1\r\n${h}${j}\r\n${p}POST /api/products HTTP/1.1\r\n${h}${j}\r\n${p}GET /api/templates HTTP/1.1\r\n${h}\r\n`)
  await raw('cut', `POST /api/products HTTP/1.1\r\n${h}content-type: application/json\r\ncontent-length: 100\r\n\r\n{`)
  await raw('bad chunk', `POST /api/products HTTP/1.1\r\n${h}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n`)
  await raw('get with body', `GET /api/templates/x HTTP/1.1\r\n${h}${j}\r\n${p}GET /api/templates/y HTTP/1.1\r\n${h}\r\n`)
  await raw('delete text', `DELETE /api/products/x HTTP/1.1\r\n${h}content-type: text/plain\r\ncontent-length: 1\r\n\r\nx`)
  await raw('delete json bad', `DELETE /api/products/x HTTP/1.1\r\n${h}content-type: application/json\r\ncontent-length: 1\r\n\r\nx`)
  await raw('delete no ct', `DELETE /api/products/x HTTP/1.1\r\n${h}content-length: 1\r\n\r\nx`)
  await raw('two keys', `POST /api/products HTTP/1.1\r\n${h}x-api-key: globex-key\r\n${j}\r\n${p}`)
  await raw('two ct', `POST /api/products HTTP/1.1\r\n${h}content-type: text/plain\r\n${j}\r\n${p}`)
  await raw('401 on GET bad query', `GET /api/templates HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await raw('garbage', `\x16\x03\x01\x02\x00`)
  await raw('blank', `\r\n\r\n\r\n`)
})
it('big', async () => {
  const { sandbox } = await openSandbox({ port: 0 })
  for (const size of [1.1, 2, 11, 40]) {
    for (const key of ['acme-key', 'nobody']) {
    const r = await fetch(`${sandbox.url}/api/products`, { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/json' }, body: JSON.stringify({ name: 'x'.repeat(size * 1024 * 1024), unitPrice: 1 }) }).then(async (r) => `${r.status} ${await r.text()}`, (e) => `${e} ${e.cause}`)
    console.log(size, key, r)
    }
  }
})
