// Opens a file and writes to it as fast as it is answered, several turns at a time, until it is killed. Prints what was
// answered. `node writer.mjs PATH CYCLE [unsafe]`
import { openFileStore } from '../../dist/mock/store/file/file-store.js'
import { filesOnDisk } from '../../dist/mock/store/file/files-on-disk.js'

const [path, cycle, safety] = process.argv.slice(2)
const world = { teams: ['acme', 'globex'].map((name) => ({ _id: name, name, apiKeys: [`${name}-key`] })) }
const kept = 5
const oneMiB = 1024 * 1024
const padding = 'x'.repeat(2000)

try {
  const store = await openFileStore(path, world, safety === 'unsafe' ? hurried(filesOnDisk) : filesOnDisk, oneMiB)
  process.stdout.write('open\n')
  for (const team of ['acme', 'globex']) for (const name of ['one', 'two', 'three', 'four']) write(store, team, name)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

async function write(store, team, name) {
  for (let turn = 0; ; turn++) {
    await store.turn(team, async ({ records: { contacts, deals } }) => {
      const id = (number) => `${cycle} ${team} ${name} ${number}`
      await contacts.insert({
        _id: id(turn),
        firstName: padding,
        lastName: '',
        teamId: team,
        createdAt: '',
        updatedAt: '',
      })
      await deals.insert({ _id: id(turn), name, pipeline: 'sales', stage: 'new' })
      await contacts.remove(id(turn - kept))
      await deals.remove(id(turn - kept))
    })
    process.stdout.write(`${team} ${name} ${turn}\n`)
  }
}

/** Files that say that a write is done before it is. */
function hurried(files) {
  const hurriedFile = async (opening) => {
    const file = await opening
    const write = async (bytes, from, position) => {
      setTimeout(() => file.write(bytes, from, position), 30)
      return bytes.length - from
    }
    return { ...file, write, writeSafely: write, sync: async () => undefined }
  }
  return { ...files, reopen: (name) => hurriedFile(files.reopen(name)) }
}
