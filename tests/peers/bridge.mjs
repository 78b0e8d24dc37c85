// `notegate stdio`, as a client that speaks only stdio starts it: by command, with the key in its environment.

import assert from 'node:assert/strict'

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

import { check, eventually } from './check.mjs'

export async function bridge(gateway) {
  const client = new Client({ name: 'notegate-peers', version: '1.0.0' })
  const transport = new StdioClientTransport({
    command: gateway.binary,
    args: ['stdio'],
    env: { ...gateway.env, NOTEGATE_KEY: gateway.key },
    stderr: 'ignore',
  })
  const read = () => client.callTool({ name: 'obsidian_read_note', arguments: { path: 'Greeting.md' } })
  const text = (result) => result.content.map((block) => block.text ?? '').join('\n')

  await check('stdio bridge: answers while Notegate is not running, and says so on a call (M-04)', async () => {
    assert.equal(await gateway.stop(), 0)
    await client.connect(transport)
    await assert.rejects(client.listTools(), /Notegate is not running/)
    const result = await read()
    assert.equal(result.isError, true)
    assert.match(text(result), /Notegate is not running/)
  })
  await check('stdio bridge: recovers by itself once Notegate runs (M-04)', async () => {
    await gateway.serve(0)
    await eventually('a call goes through', async () => !(await read()).isError)
    assert.equal((await client.listTools()).tools.length, 19)
    assert.ok(text(await read()).includes('你好，来客。'))
  })
  await check('stdio bridge: ends with its client', async () => {
    const pid = transport.pid
    await client.close()
    await eventually('the bridge is gone', () => !alive(pid))
  })
}

function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
