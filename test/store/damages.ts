import { expect } from 'vitest'
import { headLine } from '../../mock/store/file/log-head.ts'
import { linesOf } from '../../mock/store/file/turn-lines.ts'

interface Found {
  document: Buffer
  log: Buffer
}

type Damage = (found: Found) => Partial<Record<keyof Found, Buffer | undefined>>

export const damages: readonly [damage: string, reason: RegExp, of: Damage][] = [
  ['an empty document', /crm\.json is empty/, () => ({ document: Buffer.alloc(0) })],
  ['a document of zeros', /bytes that are zero/, ({ document }) => ({ document: Buffer.alloc(document.length) })],
  ['a document with a zero in it', /bytes that are zero/, ({ document }) => ({ document: at(document, 0.5, 0) })],
  ...Array.from({ length: 15 }, (_, part): (typeof damages)[number] => [
    `a document cut at ${part + 1}/16`,
    /not all of it/,
    ({ document }) => ({ document: document.subarray(0, (document.length * (part + 1)) / 16) }),
  ]),
  [
    'a document that lacks its last byte but one',
    /not all of it/,
    ({ document }) => ({ document: document.subarray(0, -2) }),
  ],
  ['a document that was changed', /its checksum does not match/, edited('Ada', 'Eve')],
  [
    'a document with another checksum',
    /its checksum does not match/,
    edited(/"checksum": "[0-9a-f]{8}"/, '"checksum": "00000000"'),
  ],
  ['a document that is not UTF-8', /not JSON/, ({ document }) => ({ document: at(document, 0.5, 0xff) })],
  ['a document that is not JSON', /not JSON/, () => ({ document: Buffer.from('teams:\n  - _id: acme\n') })],
  ['a document of a newer version', /is of format 2, and this version reads 1/, edited('"version": 1', '"version": 2')],
  ['a document of no version', /not a file of crm-sandbox/, edited('"version": 1,', '')],
  ['a document of version 0', /is of a format 0 that there is not/, edited('"version": 1', '"version": 0')],
  ['another program’s JSON', /not a file of crm-sandbox/, () => ({ document: Buffer.from('{"posts":[]}') })],
  ['JSON that is no object', /not a file of crm-sandbox/, () => ({ document: Buffer.from('[]') })],
  ['no count of turns', /how many turns/, unsigned('"turns": 3', '"turns": -1')],
  [
    'a document that does not say whether it is closed',
    /whether it is closed/,
    unsigned('"closed": false', '"closed": 1'),
  ],
  [
    'an era without a secret',
    /an era without an epoch and a token secret/,
    unsigned(/"tokenSecret":"[^"]*"/, '"x":""'),
  ],
  ['an era with a short secret', /an era without/, unsigned(/"tokenSecret":"[^"]*"/, '"tokenSecret":"short"')],
  ['an era without an epoch', /an era without/, unsigned(/"epoch":\d+/, '"epoch":"one"')],
  ['an era that is no object', /an era without/, unsigned(/"era": .*,/, '"era": null,')],
  ['no teams', /does not hold a world \(the world: teams is required\)/, unsigned('"teams"', '"tems"')],
  ['a team that is no object', /teams\[0\]: the team must be a JSON object/, unsigned('"teams": [', '"teams": [7,')],
  ['a team without an id', /teams\[0\]: _id must be a string/, unsigned('"_id": "acme"', '"_id": 5')],
  ['a team without keys', /teams\[0\] \(acme\): apiKeys must be a JSON array/, unsigned('["acme-key"]', 'null')],
  [
    'records that are no list',
    /teams\[0\] \(acme\): contacts must be a JSON array/,
    unsigned('"contacts": [', '"contacts": 5, "c": ['),
  ],
  ['a record without an id', /team acme, contacts\[0\]: _id is required/, unsigned('"_id":"ada"', '"id":"ada"')],
  [
    'a record twice',
    /contacts\[1\] \(ada\): _id is already used by contacts\[0\]/,
    unsigned('"_id":"grace"', '"_id":"ada"'),
  ],
  [
    'a team twice',
    /teams\[1\] \(acme\): _id is already used by teams\[0\]/,
    unsigned('"_id": "globex"', '"_id": "acme"'),
  ],
  ['a key of two teams', /teams\[1\] \(globex\): apiKeys\[0\] is the same/, unsigned('["globex-key"]', '["acme-key"]')],
  ['a field of another kind of value', /email must be a string/, unsigned('"grace@example.com"', '5')],
  [
    'no document beside a log',
    /crm\.json is missing, but its log .*crm\.json\.3\.log is there/,
    () => ({ document: undefined }),
  ],
  [
    'no log beside an open document',
    /crm\.json goes on in .*crm\.json\.3\.log, which is missing/,
    () => ({ log: undefined }),
  ],
  ['an older document', /crm\.json\.3\.log goes on after turn 3, but what comes before it ends with turn 2/, older],
  [
    'a log with a changed line',
    /crm\.json\.3\.log is damaged in line 4 \(its checksum/,
    editedLog('the first', 'the worst'),
  ],
  ['a log with a changed last line', /is damaged in line 5 \(its checksum/, editedLog('the last', 'the lost')],
  [
    'a log with a changed last byte',
    /crm\.json\.3\.log lacks what was answered after turn 5: it went on to turn 6 at least/,
    ({ log }) => ({ log: at(log, 1, 0x78) }),
  ],
  [
    'an emptied log',
    /crm\.json\.3\.log is empty, so what was answered after turn 3 is missing/,
    () => ({ log: Buffer.alloc(0) }),
  ],
  [
    'a log without turns',
    /lacks what was answered after turn 3: it went on to turn 6/,
    logLines((head, mark) => [head, mark]),
  ],
  [
    'a log without its last line',
    /lacks what was answered after turn 5: it went on to turn 6/,
    logLines((head, mark, turns) => [head, mark, ...turns.slice(0, -1)]),
  ],
  [
    'a log with half of its last line',
    /lacks what was answered after turn 5: it went on to turn 6/,
    ({ log }) => ({ log: log.subarray(0, -50) }),
  ],
  [
    'a log that is cut in its first line',
    /does not begin with its first line, so what was answered after turn 3 is missing/,
    ({ log }) => ({ log: log.subarray(0, 30) }),
  ],
  ['a log without its two first lines', /does not begin with its first line/, logLines((head, mark, turns) => turns)],
  [
    'the log of another document',
    /crm\.json\.3\.log is the log of another document/,
    ({ log }) => ({
      log: replaced(
        log,
        log.toString().slice(0, log.indexOf(10)),
        headLine({ log: 'f00d', turns: 3 }).bytes.toString().trimEnd(),
      ),
    }),
  ],
  [
    'a line of another log',
    /is damaged in line 4 \(it does not follow the line before it\)/,
    logLines((head, mark, [one = '', , three = '']) => [head, mark, one, foreign(5), three]),
  ],
  [
    'a log beside a closed document',
    /crm\.json\.3\.log goes on after turn 3, but what comes before it ends with turn 3, and was closed/,
    unsigned('"closed": false', '"closed": true'),
  ],
  [
    'an older log that went on further than the document',
    /crm\.json\.3\.log goes on after turn 3, but what comes before it ends with turn 5, and was closed/,
    ({ document }) => ({ document: replaced(closed(document), '"turns": 3', '"turns": 5') }),
  ],
  [
    'a document that does not say where it goes on',
    /does not say which log it goes on in/,
    unsigned(/"log": "[0-9a-f]+",/, ''),
  ],
  [
    'a log of zeros that ends with a line',
    /does not begin with its first line/,
    ({ log }) => ({ log: at(Buffer.alloc(log.length), 1, 10) }),
  ],
  ['a log with a zero in it', /is damaged in line 4/, ({ log }) => ({ log: at(log, 0.5, 0) })],
  [
    'a log without its first turn',
    /is damaged in line 3 \(it is turn 5 where turn 4 should be/,
    turnLines((all) => all.slice(1)),
  ],
  [
    'a log without its second turn',
    /it is turn 6 where turn 5 should be/,
    turnLines(([one = '', , three = '']) => [one, three]),
  ],
  ['a log with a turn twice', /it is turn 4 where turn 5 should be/, turnLines((all) => [all[0] ?? '', ...all])],
  ['a log in another order', /it is turn 6 where turn 4 should be/, turnLines((all) => all.toReversed())],
  ['a log with an empty line', /is damaged in line 4/, turnLines(([one = '', ...others]) => [one, '', ...others])],
  ['a log of another file', /there is no ada in contacts/, unsigned('"_id":"ada"', '"_id":"eve"')],
]

/** Bytes with another one at a place between the first and the last. */
function at(bytes: Buffer, place: number, byte: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[Math.round((bytes.length - 1) * place)] = byte
  return changed
}

function edited(what: string | RegExp, by: string): Damage {
  return ({ document }) => ({ document: replaced(document, what, by) })
}

/** Changed such that the checksum is not the reason for the refusal. */
function unsigned(what: string | RegExp, by: string): Damage {
  return ({ document }) => ({ document: replaced(replaced(document, what, by), /"checksum": .*/, '"checksum": null') })
}

function editedLog(what: string, by: string): Damage {
  return ({ log }) => ({ log: replaced(log, what, by) })
}

export function replaced(bytes: Buffer, what: string | RegExp, by: string): Buffer {
  const text = bytes.toString()
  const changed = text.replace(what, by)
  expect(changed).not.toBe(text)
  return Buffer.from(changed)
}

function logLines(change: (head: string, mark: string, turns: string[]) => string[]): Damage {
  return ({ log }) => {
    const [head = '', mark = '', ...turns] = log.toString().trimEnd().split('\n')
    return { log: Buffer.from(`${change(head, mark, turns).join('\n')}\n`) }
  }
}

function turnLines(change: (turns: string[]) => string[]): Damage {
  return logLines((head, mark, turns) => [head, mark, ...change(turns)])
}

/** A line that is right but for the log that it is from. */
export function foreign(turn: number): string {
  const [line] = linesOf([{ teamRemoved: 'globex' }], { turn, after: '00000000' }, 1000)
  return line?.bytes.toString().trimEnd() ?? ''
}

function older({ document }: Found) {
  return { document: replaced(closed(document), '"turns": 3', '"turns": 2') }
}

export function closed(document: Buffer): Buffer {
  return replaced(replaced(document, '"closed": false', '"closed": true'), /"checksum": .*/, '"checksum": null')
}
