// Loads the files of the bundle. What V8 has compiled of a file is kept beside it for the next start, which is half of a
// start; Node itself does so from version 22 on, and only for a whole process. Goes into the bundle as it stands.
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { setTimeout } = require('node:timers')
const { cachedDataVersionTag } = require('node:v8')
const { Script } = require('node:vm')
const { crc32 } = require('node:zlib')

const loaded = new Map()

/** What a file of the bundle exports. */
exports.load = function load(file) {
  const known = loaded.get(file)
  if (known) return known.exports
  const module = { exports: {} }
  loaded.set(file, module)
  const path = join(__dirname, file)
  scriptOf(path, file).runInThisContext()(module.exports, requireIn, module, path, __dirname, importOther)
  return module.exports
}

// V8 forgets of what it takes back how it imports.
const importOther = (id) => import(id)

const requireIn = (id) => (id.startsWith('./') ? exports.load(id.slice(2)) : require(id))

function scriptOf(path, file) {
  const code = readFileSync(path)
  const cachedData = readKept(file, code)
  const script = new Script(code.toString('latin1'), { filename: path, cachedData })
  if (cachedData === undefined || script.cachedDataRejected) keepLater(file, code, script)
  return script
}

// V8 itself sees whether the same V8 has compiled it, with the same flags. That it was compiled from this very code, and
// was not damaged since, two sums say: V8 would run the old code, or crash.

let isOff = process.env.NODE_DISABLE_COMPILE_CACHE === '1'
const kept = join(__dirname, 'compiled', `${process.arch}-${cachedDataVersionTag()}`)
const sums = 8

function readKept(file, code) {
  if (isOff) return undefined
  try {
    const bytes = readFileSync(join(kept, file))
    const data = bytes.subarray(sums)
    return sumsOf(code, data).equals(bytes.subarray(0, sums)) ? data : undefined
  } catch {
    return undefined // nothing was kept yet, or it cannot be read
  }
}

function sumsOf(code, data) {
  const bytes = Buffer.alloc(sums)
  bytes.writeUInt32LE(crc32(code))
  bytes.writeUInt32LE(crc32(data), 4)
  return bytes
}

let fresh

/** After the start, which it would delay; by then all that a start needs is compiled. */
function keepLater(file, code, script) {
  if (isOff) return
  if (fresh === undefined) {
    fresh = new Map()
    setTimeout(keepAll, 500).unref()
    process.once('exit', keepAll)
  }
  fresh.set(file, { code, script })
}

function keepAll() {
  for (const [file, { code, script }] of fresh) keep(file, code, script.createCachedData())
  fresh.clear()
}

/** In one step, since others may start meanwhile. Who may not write here starts as before. */
function keep(file, code, data) {
  try {
    mkdirSync(kept, { recursive: true })
    const part = join(kept, `${file}.${process.pid}`)
    writeFileSync(part, Buffer.concat([sumsOf(code, data), data]))
    renameSync(part, join(kept, file))
  } catch {
    isOff = true
  }
}
