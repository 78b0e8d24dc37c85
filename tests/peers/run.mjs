// Real clients against a running `notegate serve`.
//
//   node run.mjs BINARY [hostile|clients|bridge|demo|inspector|conformance …]

import process from 'node:process'
import { resolve } from 'node:path'

import { bridge } from './bridge.mjs'
import { check, close } from './check.mjs'
import { clients } from './clients.mjs'
import { conformance } from './conformance.mjs'
import { demo } from './demo.mjs'
import { Gateway } from './gateway.mjs'
import { hostile } from './hostile.mjs'
import { inspector } from './inspector.mjs'

const SUITES = { hostile, clients, bridge, demo, inspector, conformance }

const [binary, ...chosen] = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in SUITES))
if (!binary || unknown.length > 0) {
  console.error(`usage: node run.mjs BINARY [${Object.keys(SUITES).join('|')} …]`)
  process.exit(2)
}

for (const [name, suite] of Object.entries(SUITES)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  // A gateway for each, so that what one leaves behind is not the next one's trouble.
  const gateway = await Gateway.start(resolve(binary))
  try {
    await suite(gateway)
    await check(`${name}: the gateway lives, ends when asked, and leaves no process`, async () => {
      await gateway.nothingGoesOn()
      const code = await gateway.stop()
      if (code !== 0) throw new Error(`exit code ${code}: ${gateway.output}`)
    })
  } catch (error) {
    await check(name, () => Promise.reject(error))
  } finally {
    await gateway.remove()
  }
}
process.exit(close())
