// Real chat programs, configured by `notegate connect`, against a running `notegate serve`.
//
//   node run.mjs BINARY PACKAGES [opencode|continue|claude|codex|cursor|vscode|desktop|direct …]
//
// PACKAGES is the folder that package-lock.json was installed in.

import process from 'node:process'
import { resolve } from 'node:path'

import { check, close } from '../peers/check.mjs'
import { direct } from './direct.mjs'
import { claude, codex, cursor, desktop, vscode } from './listings.mjs'
import { continues, opencode } from './turns.mjs'
import { World } from './world.mjs'

const SUITES = { opencode, continue: continues, claude, codex, cursor, vscode, desktop, direct }

const [binary, packages, ...chosen] = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in SUITES))
if (!binary || !packages || unknown.length > 0) {
  console.error(`usage: node run.mjs BINARY PACKAGES [${Object.keys(SUITES).join('|')} …]`)
  process.exit(2)
}

for (const [name, suite] of Object.entries(SUITES)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  let world
  try {
    world = await World.start(resolve(binary), resolve(packages))
    await suite(world)
    await check(`${name}: the gateway lives and ends when asked`, async () => {
      const code = await world.stop()
      if (code !== 0) throw new Error(`exit code ${code}: ${world.output}`)
    })
  } catch (error) {
    await check(name, () => Promise.reject(error))
  } finally {
    await world?.remove()
  }
}
process.exit(close())
