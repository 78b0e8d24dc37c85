// The official TypeScript clients, each in each way that it can speak to a server.

import assert from 'node:assert/strict'

import * as modern from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

import { check, eventually, within } from './check.mjs'
import { GREETING } from './gateway.mjs'

const INFO = { name: 'notegate-peers', version: '1.0.0' }
const LEGACY = '2025-11-25'
const MODERN = '2026-07-28'

const FLAVOURS = [
  {
    name: 'sdk 1.x',
    version: LEGACY,
    client: (options) => new Client(INFO, options),
    transport: (url, init) => new StreamableHTTPClientTransport(url, init),
    call: (client, params, options) => client.callTool(params, undefined, options),
  },
  ...[
    ['client 2.x, its default', undefined, LEGACY],
    ['client 2.x, legacy', 'legacy', LEGACY],
    ['client 2.x, auto', 'auto', MODERN],
    [`client 2.x, pinned ${MODERN}`, { pin: MODERN }, MODERN],
  ].map(([name, mode, version]) => ({
    name,
    version,
    client: (options) => new modern.Client(INFO, mode ? { ...options, versionNegotiation: { mode } } : options),
    transport: (url, init) => new modern.StreamableHTTPClientTransport(url, init),
    call: (client, params, options) => client.callTool(params, options),
  })),
]

export async function clients(gateway) {
  for (const flavour of FLAVOURS) await speak(gateway, flavour)
}

async function speak(gateway, flavour) {
  const heard = []
  const client = flavour.client({
    listChanged: { tools: { onChanged: (error, tools) => heard.push(error ?? tools.map((tool) => tool.name)) } },
  })
  const transport = flavour.transport(new URL(gateway.mcp), {
    requestInit: { headers: { Authorization: `Bearer ${gateway.key}` } },
  })
  const call = (name, args, options) => flavour.call(client, { name: `obsidian_${name}`, arguments: args }, options)
  const it = (what, body) => check(`${flavour.name}: ${what}`, body)
  const stem = flavour.name.replaceAll(/[^a-z0-9]+/g, '-')

  await it('connects', async () => {
    await client.connect(transport)
    const version = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion
    assert.equal(version, flavour.version)
    assert.equal(client.getServerVersion()?.name, 'notegate')
  })

  await it('lists the 19 tools, their schemas plain objects', async () => {
    const { tools } = await client.listTools()
    assert.equal(tools.length, 19)
    assert.equal(tools[0].name, 'obsidian_list_vaults')
    for (const { name, inputSchema } of tools) {
      assert.equal(inputSchema.type, 'object', name)
      assert.equal(typeof inputSchema.properties, 'object', name)
      assert.equal(inputSchema.additionalProperties, false, name)
    }
  })

  await it('reads a note', async () => {
    const result = await call('read_note', { path: 'Greeting.md' })
    assert.ok(!result.isError, text(result))
    assert.ok(text(result).includes('你好，来客。'), text(result))
  })

  await it('writes a note', async () => {
    const result = await call('write_note', { path: `${stem}.md`, content: `# ${flavour.name}\n` })
    assert.ok(!result.isError, text(result))
    assert.equal(await gateway.note(`${stem}.md`), `# ${flavour.name}\n`)
    assert.equal(await gateway.note('Greeting.md'), GREETING)
  })

  await it('is told which argument is wrong', async () => {
    const result = await call('read_note', { name: 'Greeting.md' })
    assert.equal(result.isError, true)
    assert.ok(text(result).includes('name'), text(result))
  })

  await it('asks for progress and gets its answer', async () => {
    const result = await call('read_note', { path: 'Greeting.md' }, { onprogress: () => {} })
    assert.ok(!result.isError, text(result))
  })

  await it('aborts a running call, after which nothing of it is left', async () => {
    const abort = new AbortController()
    const running = call('search_notes', { query: 'nothing' }, { signal: abort.signal })
    const outcome = running.then(() => 'answered', () => 'aborted')
    await eventually('the call runs', () => gateway.searches())
    abort.abort('enough')
    assert.equal(await within(10_000, outcome), 'aborted')
    await gateway.nothingGoesOn()
  })

  await it('gives up after its own time-out, after which nothing of it is left', async () => {
    await assert.rejects(call('search_notes', { query: 'nothing' }, { timeout: 300 }))
    await gateway.nothingGoesOn()
  })

  await it('hears that the list changed, and goes on with a setting saved meanwhile (M-03)', async () => {
    const before = heard.length
    await gateway.cli('runtime', 'assign', gateway.runtime, 'obsidian', '--off')
    await eventually('the change is heard', () => heard.slice(before).some((names) => names.length === 0))
    assert.deepEqual((await client.listTools()).tools, [])
    await gateway.cli('runtime', 'assign', gateway.runtime, 'obsidian')
    const result = await call('read_note', { path: 'Greeting.md' })
    assert.ok(!result.isError, text(result))
    await eventually('the change back is heard', () => heard.at(-1)?.length === 19)
  })

  await it('goes on after a restart of the gateway (M-01)', async () => {
    assert.equal(await gateway.stop(), 0)
    await gateway.serve(gateway.port)
    const result = await call('read_note', { path: 'Greeting.md' })
    assert.ok(!result.isError, text(result))
  })

  await it('leaves', async () => {
    if (flavour.version === LEGACY) await transport.terminateSession()
    await client.close()
  })
}

function text(result) {
  return result.content.map((block) => block.text ?? '').join('\n')
}
