// Builds an earlier commit in a temporary folder, to compare with it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `remove` deletes the folder. */
export function buildOf(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-bench-'))
  const run = (cwd, ...command) =>
    execFileSync(command[0], command.slice(1), { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  run('.', 'git', 'worktree', 'add', '--quiet', '--detach', folder, commit)
  const remove = () => run('.', 'git', 'worktree', 'remove', '--force', folder)
  try {
    run(folder, 'npm', 'ci')
    run(folder, 'npm', 'run', 'build')
    return { folder, remove }
  } catch (error) {
    remove()
    throw error
  }
}
