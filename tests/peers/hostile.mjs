// What must be refused, sent by curl: each gets its refusal, and the gateway goes on.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { check } from './check.mjs'

const run = promisify(execFile)
const MEBIBYTE = 1024 * 1024

export async function hostile(gateway) {
  const curl = async (...args) => {
    const { stdout } = await run('curl', ['--silent', '--show-error', '--max-time', '60', '--noproxy', '*',
      '--write-out', '\n%{http_code}', ...args], { maxBuffer: 64 * MEBIBYTE })
    const at = stdout.lastIndexOf('\n')
    return { status: Number(stdout.slice(at + 1)), body: stdout.slice(0, at) }
  }
  const key = ['-H', `Authorization: Bearer ${gateway.key}`]
  const mcp = ['-H', 'Content-Type: application/json', '-H', 'Accept: application/json, text/event-stream']
  const initialize = (version) => JSON.stringify({
    jsonrpc: '2.0', id: 1, method: 'initialize',
    params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'curl', version: '8' } },
  })
  const post = (...args) => curl('-X', 'POST', gateway.mcp, ...mcp, ...args)
  const good = () => post(...key, '-d', initialize('2025-11-25'))

  const refused = async (what, status, ask, says) => {
    await check(`curl: ${what} is answered ${status}, and the gateway goes on`, async () => {
      const answer = await ask()
      assert.equal(answer.status, status, answer.body)
      if (says) assert.match(answer.body, says)
      assert.ok(!answer.body.includes(gateway.key), 'the key stands in the answer')
      assert.equal((await good()).status, 200)
    })
  }

  for (const [name, url] of [['/mcp', gateway.mcp], ['/tools', gateway.tools]]) {
    await refused(`${name} without a key`, 401, () => curl(url), /Bearer/)
    await refused(`${name} with a wrong key`, 401, () => curl(url, '-H', 'Authorization: Bearer ng_wrong'), /Bearer|key/)
    await refused(`${name} with a foreign Host`, 403, () => curl(url, ...key, '-H', 'Host: evil.example'))
    await refused(`${name} with a foreign Origin`, 403, () => curl(url, ...key, '-H', 'Origin: https://evil.example'))
  }
  await refused('the control API with a runtime key', 401, 
    () => curl('-X', 'POST', new URL('/control', gateway.mcp).href, ...key, ...mcp, '-d', '{"command":"status"}'))
  await refused('/.well-known without a key (M-17)', 404,
    () => curl(new URL('/.well-known/oauth-protected-resource', gateway.mcp).href), /^\{/)
  await refused('/.well-known below /mcp without a key (M-18)', 404,
    () => curl(new URL('/.well-known/oauth-protected-resource/mcp', gateway.mcp).href), /^\{/)
  await refused('broken JSON', 400, () => post(...key, '-d', '{"jsonrpc": "2.0", '))
  await refused('a version that nobody speaks', 400,
    () => post(...key, '-H', 'MCP-Protocol-Version: 1999-01-01', '-d', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })))
  await check('curl: opening with a version that nobody speaks is answered with one we do (M-13)', async () => {
    const { status, body } = await post(...key, '-d', initialize('1999-01-01'))
    assert.equal(status, 200)
    assert.match(body, /"protocolVersion":"2025-11-25"/)
  })
  const large = join(gateway.root, 'large.json')
  await writeFile(large, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":"`)
  const file = await open(large, 'a')
  for (let n = 0; n < 20; n += 1) await file.write('x'.repeat(MEBIBYTE))
  await file.write('"}}}')
  await file.close()
  await refused('a body of 20 MB', 413, () => post(...key, '--data-binary', `@${large}`))
  await refused('a body of 20 MB without a key', 413, () => post('--data-binary', `@${large}`))
}
