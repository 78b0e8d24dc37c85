// The other programs, each configured by our own writer: each lists the tools, or says that it is connected.

import assert from 'node:assert/strict'
import { join } from 'node:path'

import { check } from '../peers/check.mjs'
import { NODE_22, packaged } from '../peers/packages.mjs'

const INSPECTOR = packaged('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js')

/** 19 tools of Obsidian and 5 of SiYuan. */
const TOOLS = 24

export async function claude(world) {
  const program = world.packaged('@anthropic-ai', `claude-code-linux-${process.arch}`, 'claude')
  await check('Claude Code: mcp list says connected', async () => {
    await world.connect('claude-code')
    assert.equal(await world.mode('.claude.json'), 0o600)
    const { said } = await world.program(program, ['mcp', 'list'])
    assert.match(said, /notegate: .*Connected/, said)
  })
  await check('mcporter: finds Claude Code’s entry and lists the tools', () => mcporter(world))
  await check('the Inspector: takes Claude Code’s entry and lists the tools', () => inspector(world, '.claude.json'))
  await check('Claude Code: with the key in its environment', async () => {
    const { key } = await world.connect('claude-code', '--key', 'environment', '--runtime', 'claude-code')
    assert.ok(!(await world.read('.claude.json')).includes('ng_'))
    const { said } = await world.program(program, ['mcp', 'list'], { NOTEGATE_KEY: key })
    assert.match(said, /notegate: .*Connected/, said)
  })
}

export async function codex(world) {
  const program = world.packaged('@openai', 'codex', 'bin', 'codex.js')
  const ask = (...args) => world.program(process.execPath, [program, 'mcp', ...args])
  const before = 'model = "o" # mine\n\n[tui]\nnotifications = true\n# the end\n'
  await world.file('.codex/config.toml', before)
  await check('Codex: mcp list shows the server and its key’s variable', async () => {
    await world.connect('codex', '--key', 'environment')
    assert.ok((await world.read('.codex/config.toml')).startsWith(before))
    const { said } = await ask('list')
    assert.match(said, /notegate .*\/mcp +NOTEGATE_KEY +enabled/, said)
  })
  await check('Codex: with the key in the file', async () => {
    await world.connect('codex', '--runtime', 'codex')
    const { said } = await ask('get', 'notegate')
    assert.match(said, /http_headers: Authorization=/, said)
    assert.match(said, /bearer_token_env_var: -/, said)
  })
}

export async function cursor(world) {
  await check('Cursor’s file: mcporter finds it and lists the tools', async () => {
    await world.connect('cursor')
    await mcporter(world)
  })
}

export async function vscode(world) {
  await check('VS Code’s file: mcporter finds it and lists the tools', async () => {
    await world.connect('vscode')
    await mcporter(world)
  })
}

export async function desktop(world) {
  await check('Claude Desktop’s file: the Inspector starts the bridge of its entry and lists the tools', async () => {
    await world.connect('claude-desktop')
    await inspector(world, '.config/Claude/claude_desktop_config.json')
  })
}

async function mcporter(world) {
  const program = world.packaged('mcporter', 'dist', 'cli.js')
  const { said } = await world.program(process.execPath, [program, 'list'])
  assert.match(said, new RegExp(`notegate.*\\(${TOOLS} tools`), said)
}

async function inspector(world, file) {
  const args = [INSPECTOR, '--cli', '--config', join(world.user, file), '--server', 'notegate', '--method', 'tools/list']
  const { code, stdout, said } = await world.program(NODE_22, args)
  assert.equal(code, 0, said)
  assert.equal(JSON.parse(stdout).tools.length, TOOLS)
}
