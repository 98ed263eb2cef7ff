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
  const cachedData = readKept(file)
  const script = new Script(readFileSync(path, 'utf8'), { filename: path, cachedData })
  if (cachedData === undefined || script.cachedDataRejected) keepLater(file, script)
  return script
}

// V8 takes back only what the same V8 has compiled with the same flags, and crashes on what was damaged.

let isOff = process.env.NODE_DISABLE_COMPILE_CACHE === '1'
const kept = join(__dirname, 'compiled', `${process.arch}-${cachedDataVersionTag()}`)

function readKept(file) {
  if (isOff) return undefined
  try {
    const bytes = readFileSync(join(kept, file))
    const data = bytes.subarray(4)
    return bytes.readUInt32LE() === crc32(data) ? data : undefined
  } catch {
    return undefined // nothing was kept yet, or it cannot be read
  }
}

let fresh

/** After the start, which it would delay; by then all that a start needs is compiled. */
function keepLater(file, script) {
  if (isOff) return
  if (fresh === undefined) {
    fresh = new Map()
    setTimeout(keepAll, 500).unref()
    process.once('exit', keepAll)
  }
  fresh.set(file, script)
}

function keepAll() {
  for (const [file, script] of fresh) keep(file, script.createCachedData())
  fresh.clear()
}

/** In one step, since others may start meanwhile. Who may not write here starts as before. */
function keep(file, data) {
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(data))
  try {
    mkdirSync(kept, { recursive: true })
    const part = join(kept, `${file}.${process.pid}`)
    writeFileSync(part, Buffer.concat([sum, data]))
    renameSync(part, join(kept, file))
  } catch {
    isOff = true
  }
}
