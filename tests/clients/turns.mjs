// OpenCode and Continue through a whole turn: a scripted model has them read a note, patch it and ask SiYuan, and the
// file on the disk shows it.

import assert from 'node:assert/strict'

import { check } from '../peers/check.mjs'
import { Model } from './model.mjs'
import { NOTE } from './world.mjs'

const STATEMENT = "SELECT * FROM blocks WHERE content LIKE '%beans%' LIMIT 5"

const SCRIPT = [
  { name: 'obsidian_read_note', arguments: { path: 'Garden.md' } },
  {
    name: 'obsidian_patch_note',
    arguments: { path: 'Garden.md', oldString: 'are not sown', newString: 'were sown on Monday. 已播种' },
  },
  { name: 'siyuan_query', arguments: { action: 'sql', stmt: STATEMENT } },
]

async function turn(world, model, runs) {
  const { code, said } = await runs()
  assert.equal(code, 0, said)
  assert.ok(said.includes('All done.'), said)
  assert.equal(model.answers.length, 3, said)
  assert.ok(model.answers[0].includes('The beans are not sown.'), model.answers[0])
  assert.ok(model.answers[2].includes('Beans in the old diary'), model.answers[2])
  assert.equal(await world.note('Garden.md'), NOTE.replace('are not sown', 'were sown on Monday. 已播种'))
  assert.equal(world.kernel.statements.length, 1)
  const { records } = await world.notegate('activity')
  for (const tool of SCRIPT.map((step) => step.name)) {
    assert.ok(records.some((record) => record.tool === tool && record.outcome === 'succeeded'), `${tool} is recorded`)
  }
}

export async function opencode(world) {
  const program = world.packaged(`opencode-linux-${process.arch}`, 'bin', 'opencode')
  const model = await Model.start(SCRIPT)
  const before = `{
  // The person's own, with a comment
  "model": "local/m",
  "share": "disabled",
  "provider": {
    "local": {
      "npm": "@ai-sdk/openai-compatible",
      "options": {"baseURL": "${model.url}", "apiKey": "x"},
      "models": {"m": {"tool_call": true, "limit": {"context": 100000, "output": 8000}}},
    },
  },
}
`
  const file = '.config/opencode/opencode.jsonc'
  await world.file(file, before)
  try {
    await check('OpenCode: our writer adds its entry and leaves the rest', async () => {
      await world.connect('opencode')
      const after = await world.read(file)
      assert.ok(after.includes('"notegate"') && after.startsWith(before.slice(0, -4)), after)
      assert.equal(await world.mode(file), 0o600)
    })
    await check('OpenCode: mcp list says connected', async () => {
      const { said } = await world.program(program, ['mcp', 'list'])
      assert.match(said, /notegate.*connected/, said)
    })
    await check('OpenCode: a whole turn through the vault and SiYuan', () =>
      turn(world, model, () => world.program(program, ['run', 'Note that the beans were sown.'])))
    await check('OpenCode: with the key in its environment', async () => {
      const { key } = await world.connect('opencode', '--key', 'environment', '--runtime', 'opencode')
      assert.ok(!(await world.read(file)).includes(key))
      const { said } = await world.program(program, ['mcp', 'list'], { NOTEGATE_KEY: key })
      assert.match(said, /notegate.*connected/, said)
    })
    await check('OpenCode: undone, the file is as it was before the last change', async () => {
      await world.notegate('connect', 'opencode', '--undo')
      assert.ok((await world.read(file)).includes('Bearer ng_'))
    })
  } finally {
    model.close()
  }
}

export async function continues(world) {
  const program = world.packaged('@continuedev', 'cli', 'dist', 'cn.js')
  const model = await Model.start(SCRIPT)
  const before = `name: Mine # with a comment
version: 1.0.0
schema: v1
models:
  - name: m
    provider: openai
    model: m
    apiBase: ${model.url}
    apiKey: x
    roles: [chat]
    capabilities: [tool_use]
`
  await world.file('.continue/config.yaml', before)
  const ask = (env) => world.program(process.execPath, [program, '-p', 'Note that the beans were sown.', '--auto'], env)
  try {
    await check('Continue: our writer adds its entry and leaves the rest', async () => {
      await world.connect('continue')
      const after = await world.read('.continue/config.yaml')
      assert.ok(after.startsWith(before) && after.includes('- name: notegate'), after)
    })
    await check('Continue: a whole turn through the vault and SiYuan', () => turn(world, model, ask))
    await check('Continue: with the key in its environment', async () => {
      const { key } = await world.connect('continue', '--key', 'environment', '--runtime', 'continue')
      model.script = SCRIPT.slice(0, 1)
      const { said } = await ask({ NOTEGATE_KEY: key })
      assert.equal(model.answers.length, 1, said)
      assert.ok(model.answers[0].includes('were sown on Monday'), model.answers[0])
    })
  } finally {
    model.close()
  }
}
