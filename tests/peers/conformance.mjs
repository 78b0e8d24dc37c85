// The official conformance suite's server scenarios. The suite cannot send a header, so a proxy on
// another port adds the key; what does not apply to Notegate stands in conformance.yml with its reason.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { check } from './check.mjs'
import { NODE_22, packaged } from './packages.mjs'

const SUITE = packaged('@modelcontextprotocol/conformance', 'dist/index.js')
const BASELINE = fileURLToPath(new URL('conformance.yml', import.meta.url))

export async function conformance(gateway) {
  const proxy = await withKey(gateway)
  try {
    const results = await mkdtemp(join(gateway.root, 'conformance-'))
    const { code, output } = await suite(results, '--url', `http://localhost:${proxy.address().port}/mcp`,
      '--expected-failures', BASELINE)
    const excepted = new Set((await readFile(BASELINE, 'utf8')).match(/(?<=^ +- )\S+/gm))
    const scenarios = [...output.matchAll(/^[✓✗] ([a-z0-9-]+): (\d+) passed, (\d+) failed/gm)]
    for (const [line, name] of scenarios.filter(([, name]) => !excepted.has(name))) {
      await check(`conformance: ${name}`, async () => assert.ok(line.startsWith('✓'), line))
    }
    // Both a failing scenario that is not listed and a listed one that passes end in another code.
    const summary = output.slice(output.indexOf('=== SUMMARY'))
    await check(`conformance: the ${excepted.size} exceptions are still all of them`, async () => {
      assert.ok(scenarios.length > excepted.size, output)
      assert.equal(code, 0, summary)
    })
  } finally {
    proxy.closeAllConnections()
    proxy.close()
  }
}

function suite(results, ...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(NODE_22, [SUITE, 'server', '-o', results, ...args], { timeout: 240_000 })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { output += text })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output: output.replaceAll(/\u001b\[\d+m/g, '') }))
  })
}

/** Passes everything on as it comes, streams included, and adds the key. */
function withKey(gateway) {
  const proxy = createServer((asked, answer) => {
    const own = [`localhost:${proxy.address().port}`, `127.0.0.1:${proxy.address().port}`]
    // Our own address becomes the gateway's; a foreign one is left for the gateway to refuse.
    const host = own.includes(asked.headers.host) ? `127.0.0.1:${gateway.port}` : asked.headers.host
    const onward = request({
      host: '127.0.0.1',
      port: gateway.port,
      method: asked.method,
      path: asked.url,
      headers: { ...asked.headers, host, authorization: `Bearer ${gateway.key}` },
    })
    onward.once('response', (response) => {
      answer.writeHead(response.statusCode, response.headers)
      answer.flushHeaders()
      response.pipe(answer)
    })
    onward.once('error', () => answer.destroy())
    answer.once('close', () => onward.destroy())
    asked.pipe(onward)
  })
  return new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(proxy)))
}
