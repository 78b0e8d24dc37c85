// The Inspector's command line, in each era it can be told to speak.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { check } from './check.mjs'
import { NODE_22, packaged } from './packages.mjs'

const run = promisify(execFile)
const INSPECTOR = packaged('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js')

export async function inspector(gateway) {
  const ask = async (era, key, ...rest) => {
    const args = [INSPECTOR, '--cli', gateway.mcp, '--transport', 'http', '--stored-auth-only',
      '--header', `Authorization: Bearer ${key}`, '--protocol-era', era, ...rest]
    const { stdout } = await run(NODE_22, args, { env: gateway.env, timeout: 90_000 })
    return JSON.parse(stdout)
  }
  for (const era of ['legacy', 'auto', 'modern']) {
    await check(`Inspector, ${era}: lists the tools`, async () => {
      const { tools } = await ask(era, gateway.key, '--method', 'tools/list', '--strict')
      assert.equal(tools.length, 19)
    })
    await check(`Inspector, ${era}: calls obsidian_read_note`, async () => {
      const result = await ask(era, gateway.key, '--method', 'tools/call',
        '--tool-name', 'obsidian_read_note', '--tool-arg', 'path=Greeting.md')
      assert.ok(!result.isError)
      assert.ok(JSON.stringify(result.content).includes('你好，来客。'))
    })
  }
  await check('Inspector: a wrong key is refused', async () => {
    await assert.rejects(ask('legacy', 'ng_wrong', '--method', 'tools/list'))
  })
}
