// The example of docs/direct-tools.md: a model with function calling works on the notes, and is told what goes wrong.

import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'

import { check } from '../peers/check.mjs'
import { Model } from './model.mjs'

const EXAMPLE = fileURLToPath(new URL('../../docs/examples/direct_tools.py', import.meta.url))

const SCRIPT = [
  { name: 'obsidian_read_note', arguments: { path: 'Garden.md' } },
  { name: 'obsidian_patch_note', raw: '{"path": "Garden.md", "oldString"' },
  { name: 'obsidian_patch_note', arguments: { path: 'Garden.md', old: 'beans' } },
  { name: 'obsidian_eat_note', arguments: {} },
  { name: 'obsidian_patch_note', arguments: { path: 'Garden.md', oldString: 'beans', newString: 'peas 豌豆' } },
  { name: 'siyuan_query', arguments: { action: 'sql', stmt: 'SELECT id FROM blocks LIMIT 1' } },
]

export async function direct(world) {
  const { key } = await world.notegate('runtime', 'add', 'model', '--assign', 'obsidian', '--assign', 'siyuan')
  const model = await Model.start(SCRIPT)
  const example = (env) => world.program('python3', [EXAMPLE, 'Peas instead of beans, please.'],
    { NOTEGATE_KEY: key, NOTEGATE_TOOLS: world.tools, OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'm', ...env })
  try {
    await check('direct tools: the example works on the notes, and its errors reach the model', async () => {
      const { code, stdout, said } = await example()
      assert.equal(code, 0, said)
      assert.equal(stdout, 'All done.\n')
      assert.equal(model.offered.length, 24)
      const [read, broken, wrong, unknown, patched, found] = model.answers
      assert.ok(read.includes('The beans are not sown.'), read)
      assert.match(broken, /^Error \(400\): .*not JSON/, broken)
      assert.match(wrong, /^Error: .*oldString/s, wrong)
      assert.match(unknown, /^Error: .*obsidian_eat_note/, unknown)
      assert.ok(!patched.startsWith('Error'), patched)
      assert.ok(found.includes('Beans in the old diary'), found)
      assert.equal(await world.note('Garden.md'), '# Garden\n\nThe peas 豌豆 are not sown.\n')
    })
    await check('direct tools: a refused key and a Notegate that is not there are told to the person', async () => {
      const refused = await example({ NOTEGATE_KEY: 'ng_wrong' })
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /refused to list its tools \(401\)/)
      const away = await example({ NOTEGATE_TOOLS: 'http://127.0.0.1:9/tools' })
      assert.equal(away.code, 1)
      assert.match(away.stderr, /notegate serve/)
    })
  } finally {
    model.close()
  }
}
