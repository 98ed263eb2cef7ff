import { closeSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CannotRun } from '../../client/errors.ts'
import { fileError } from '../../shared/file-errors.ts'
import { toHtml } from './html.ts'
import { toJson } from './json.ts'
import { toJunit } from './junit.ts'
import { toMarkdown } from './markdown.ts'
import type { Report } from './report.ts'

const writers = { junit: toJunit, json: toJson, html: toHtml, markdown: toMarkdown } as const

export type ReportFiles = { readonly [Form in keyof typeof writers]?: string | undefined }

/**
 * Deletes the reports of an earlier run, which say nothing about this one. Throws if a report could not be written,
 * before the run that would have been in vain.
 */
export function prepareReports(files: ReportFiles): void {
  for (const path of Object.values(files).filter((path) => path !== undefined)) {
    orFail(path, () => {
      mkdirSync(dirname(path), { recursive: true })
      if (isSpecial(path)) return
      closeSync(openSync(partOf(path), 'w'))
      rmSync(partOf(path))
      rmSync(realPathOf(path), { force: true })
    })
  }
}

/** Writes each report whole or, when that fails, not at all. */
export function writeReports(report: Report, files: ReportFiles): void {
  for (const [form, write] of Object.entries(writers)) {
    const path = files[form as keyof ReportFiles]
    if (path === undefined) continue
    const text = write(report)
    orFail(path, () => {
      mkdirSync(dirname(path), { recursive: true })
      if (isSpecial(path)) writeFileSync(path, text)
      else writeWhole(path, text)
    })
  }
}

function writeWhole(path: string, text: string): void {
  const part = partOf(path)
  try {
    writeFileSync(part, text)
    renameSync(part, realPathOf(path))
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

const partOf = (path: string) => `${realPathOf(path)}.${process.pid}.part`

/** Behind any links. */
function realPathOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : path
}

/** Such as /dev/stdout, which is neither deleted nor replaced. */
function isSpecial(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile()
}

function orFail(path: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    throw new CannotRun(`${fileError(`The report ${path}`, 'written', error)}.`)
  }
}
