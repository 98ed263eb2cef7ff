import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { PackedPackage } from '../docs/packed-package.ts'
import { run } from './command.ts'
import { newFile, newFolder } from '../for-one-test.ts'

describe('init writes', () => {
  it('a config file that commands and schema take, also with all of its comments as options', async () => {
    const folder = newFolder()
    const { code, stdout } = await run(['init'], {}, folder)
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Wrote no test') as string })
    const path = join(folder, 'crm-sandbox.config.yaml')
    const text = readFileSync(path, 'utf8')
    const all = text.replaceAll(/^( +)# (?=[a-z-]+: )/gm, '$1')
    expect(Object.keys((parse(all) as { serve: object }).serve)).toContain('assume')
    const schema = JSON.parse(readFileSync('dist/config.schema.json', 'utf8')) as object
    const isValid = new Ajv({ allowUnionTypes: true }).compile(schema)
    for (const content of [text, all]) {
      expect(isValid(parse(content)), JSON.stringify(isValid.errors)).toBe(true)
      const config = newFile('c.yaml', content)
      expect(await run(['verify', '--list', '--config', config])).toMatchObject({ code: 0 })
    }
    expect(text).toContain('$schema=./node_modules/crm-sandbox/dist/config.schema.json\n')
  })

  it('a test for a project that has not installed the package, and says so', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'package.json'), '{ "devDependencies": { "vitest": "4" } }')
    const { stdout } = await run(['init'], {}, folder)
    expect(stdout).toMatch(
      /\nNext: install crm-sandbox as its README says, then npx vitest run crm-sandbox\.test\.js\n$/,
    )
  })

  it('only the file that is missing, and nothing where both are', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'pytest.ini'), '')
    const config = join(folder, 'crm-sandbox.config.yml')
    writeFileSync(config, 'serve:\n')
    const { stdout } = await run(['init'], {}, folder)
    expect(stdout).toMatch(
      /^Left crm-sandbox\.config\.yml as it is\nWrote test_crm_sandbox\.py\nFor a coding assistant: .*SKILL\.md\nNext: pytest test_crm/,
    )
    expect(await run(['init'], {}, folder)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: There is a file crm-sandbox.config.yml and a file test_crm_sandbox.py already, and init overwrites none.\n',
    })
    expect(readFileSync(config, 'utf8')).toBe('serve:\n')
    rmSync(config)
    const again = await run(['init'], {}, folder)
    expect(again.stdout).toMatch(
      /^Wrote crm-sandbox\.config\.yaml\nLeft test_crm_sandbox\.py as it is\nFor a coding assistant: .*SKILL\.md\nNext: pytest test_crm/,
    )
  })

  it('nothing where a config file is and no framework is known', async () => {
    const folder = newFolder()
    await run(['init'], {}, folder)
    const { code, stderr } = await run(['init'], {}, folder)
    expect(code).toBe(1)
    expect(stderr).toBe('error: There is a file crm-sandbox.config.yaml already, and init overwrites none.\n')
  })

  it.each([
    ['requirements-dev.txt', '-r requirements.txt\npytest==8.0\n'],
    ['pyproject.toml', '[tool.pytest.ini_options]\naddopts = "-q"\n'],
    ['pytest.ini', ''],
  ])('a test for pytest where %s says so', async (name, text) => {
    const folder = newFolder()
    writeFileSync(join(folder, name), text)
    expect((await run(['init'], {}, folder)).stdout).toContain('Wrote test_crm_sandbox.py\n')
  })

  it('a config file below another one, and says which one has precedence', async () => {
    const folder = newFolder()
    const below = join(folder, 'packages/app')
    mkdirSync(below, { recursive: true })
    writeFileSync(join(folder, 'crm-sandbox.config.json'), '{}')
    const { stdout } = await run(['init'], {}, below)
    expect(stdout).toMatch(
      /\nIn this folder, crm-sandbox\.config\.yaml has precedence over \.\.\/\.\.\/crm-sandbox\.config\.json\n/,
    )
  })

  it('nothing where package.json is broken, and names that file', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'package.json'), '{ broken')
    const { stdout, stderr } = await run(['init'], {}, folder)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^error: The file package\.json is not JSON \(.*\)\.\n$/)
    expect(readdirSync(folder)).toEqual(['package.json'])
  })
})

describe('init in an installed package', () => {
  it('writes a test that vitest runs', async () => {
    using installed = parcelWith({ devDependencies: { vitest: '4' } }, 'vitest')
    expect(installed.run('node', program, 'init')).toMatch(
      /^Wrote crm-sandbox\.test\.js\n(?:.*\n)?Next: npx vitest run crm-/m,
    )
    expect(installed.run('node', 'node_modules/vitest/vitest.mjs', 'run', 'crm-sandbox.test.js')).toMatch(/1 passed/)
  })

  it('writes a test for Jest that requires the package', () => {
    using installed = parcelWith({ dependencies: { jest: '30' } })
    mkdirSync(join(installed.folder, 'test'))
    expect(installed.run('node', program, 'init')).toMatch(
      /^Wrote test\/crm-sandbox\.test\.js\n(?:.*\n)?Next: npx jest test/m,
    )
    const own = readFileSync(join(installed.folder, 'test/crm-sandbox.test.js'), 'utf8')
    installed.write('run.cjs', `${jest}\n${own}\ntests()`)
    expect(installed.run('node', 'run.cjs')).toBe('passed\n')
  })

  it('writes a test that pytest runs', ({ skip }) => {
    using installed = parcelWith({})
    installed.write('requirements.txt', 'pytest==8.0\n')
    mkdirSync(join(installed.folder, 'node_modules/.bin'))
    symlinkSync('../crm-sandbox/dist/cli.js', join(installed.folder, 'node_modules/.bin/crm-sandbox'))
    expect(installed.run('node', program, 'init')).toMatch(
      /^Wrote test_crm_sandbox\.py\n(?:.*\n)?Next: pytest test_crm/m,
    )
    try {
      installed.run('python3', '-c', 'import pytest')
    } catch {
      skip('pytest is not installed')
    }
    expect(installed.run('python3', '-m', 'pytest', '-q', 'test_crm_sandbox.py')).toMatch(/1 passed/)
  })
})

const program = 'node_modules/crm-sandbox/dist/cli.js'

/** As much of Jest as the test needs: test/long/jest has the real one. */
const jest = `const assert = require('node:assert/strict')
const [before, after, all] = [[], [], []]
const [beforeAll, afterAll, test] = [(f) => before.push(f), (f) => after.push(f), (_, f) => all.push(f)]
const expect = (value) => ({ toMatchObject: (part) => { for (const key in part) assert.equal(value[key], part[key]) } })
async function tests() {
  for (const step of [...before, ...all, ...after]) await step()
  console.log('passed')
}`

function parcelWith(manifest: object, ...packages: readonly string[]): PackedPackage {
  const installed = new PackedPackage()
  installed.unpack()
  for (const name of packages) installed.borrow(name)
  installed.write('package.json', JSON.stringify(manifest))
  return installed
}
