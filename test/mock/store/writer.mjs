// Opens a file and writes to it, several transactions at a time, until it is killed. Prints each acknowledged transaction.
// `node writer.mjs PATH CYCLE [unsafe]`
import { setTimeout as sleep } from 'node:timers/promises'
import { openFileStore } from '../../../mock/store/file/file-store.ts'
import { filesOnDisk } from '../../../mock/store/file/files.ts'

const [path, cycle, safety] = process.argv.slice(2)
const world = { teams: ['acme', 'globex'].map((name) => ({ _id: name, name, apiKeys: [`${name}-key`] })) }
const kept = 5
const oneMiB = 1024 * 1024
const padding = 'x'.repeat(2000)

try {
  const store = await openFileStore(path, world, {
    files: safety === 'unsafe' ? hurried(filesOnDisk) : filesOnDisk,
    shortestToCompact: oneMiB,
  })
  process.stdout.write('open\n')
  for (const team of ['acme', 'globex']) for (const name of ['one', 'two', 'three', 'four']) write(store, team, name)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

async function write(store, team, name) {
  for (let transaction = 0; ; transaction++) {
    await store.transaction(team, async ({ records: { contacts, deals } }) => {
      const id = (number) => `${cycle} ${team} ${name} ${number}`
      await contacts.insert({
        _id: id(transaction),
        firstName: padding,
        lastName: '',
        teamId: team,
        createdAt: '',
        updatedAt: '',
      })
      await deals.insert({ _id: id(transaction), name, pipeline: 'sales', stage: 'new' })
      await contacts.remove(id(transaction - kept))
      await deals.remove(id(transaction - kept))
    })
    process.stdout.write(`${team} ${name} ${transaction}\n`)
  }
}

/** Files that resolve an append before it is written, unless the file is closed before. */
function hurried(files) {
  return {
    ...files,
    async append(name) {
      const file = await files.append(name)
      let written = Promise.resolve()
      return {
        ...file,
        async write(bytes) {
          written = Promise.all([written, sleep(30).then(() => file.write(bytes))])
        },
        async close() {
          await written
          await file.close()
        },
      }
    },
  }
}
