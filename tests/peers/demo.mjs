// `notegate demo` as a newcomer meets it: the command that it prints is run as it stands.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { access } from 'node:fs/promises'
import { promisify } from 'node:util'

import { check, eventually, within } from './check.mjs'

const run = promisify(execFile)

export async function demo(gateway) {
  await check('demo: the printed command reads a note, and the end leaves nothing behind', async () => {
    const shown = start(gateway, '--headless')
    await eventually('it says how to read a note', () => shown.output.includes('Ctrl-C'), 30_000)
    const command = shown.output.split('\n').find((line) => line.trim().startsWith('curl '))
    const vault = shown.output.match(/^ *vault +(.+)$/m)[1]
    const { stdout } = await run('sh', ['-c', command], { timeout: 60_000 })
    assert.ok(!JSON.parse(stdout).isError, stdout)
    await end(shown)
    await assert.rejects(access(vault))
  })
  await check('demo: --json prints one line with everything that a script needs', async () => {
    const shown = start(gateway, '--headless', '--json', '--port', '0')
    const line = await eventually('the line is there', () => shown.answer.includes('\n') && shown.answer, 30_000)
    const { mcp, tools, key, vault, home } = JSON.parse(line)
    for (const value of [mcp, tools, key, vault, home]) assert.equal(typeof value, 'string', line)
    const { stdout } = await run('curl', ['-sS', '--noproxy', '*', '-H', `Authorization: Bearer ${key}`, tools])
    assert.equal(JSON.parse(stdout).tools.length, 19, stdout.slice(0, 400))
    await end(shown)
  })
}

function start(gateway, ...args) {
  const child = spawn(gateway.binary, ['demo', ...args], { env: { ...gateway.env, NOTEGATE_HOME: '' } })
  const shown = { child, output: '', answer: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { shown.output += text })
  child.stdout.on('data', (text) => { shown.answer += text })
  shown.exit = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)))
  return shown
}

async function end(shown) {
  shown.child.kill('SIGINT')
  assert.equal(await within(20_000, shown.exit), 0, shown.output)
}
