// A `notegate serve` with a home and a vault of its own, and the processes below it.

import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { eventually, within } from './check.mjs'

const run = promisify(execFile)

const MCPVAULT = fileURLToPath(new URL('../../vendor/mcpvault', import.meta.url))

/** How many notes the vault holds besides the named ones: enough that a search can be caught running. */
const NOTES = 2_000

export const GREETING = '# Greeting\n\nSaid to whoever knocks. 你好，来客。\n'

export class Gateway {
  static async start(binary) {
    const root = await mkdtemp(join(tmpdir(), 'notegate-peers-'))
    const gateway = new Gateway(binary, root)
    await gateway.#furnish()
    await gateway.serve(0)
    return gateway
  }

  constructor(binary, root) {
    this.binary = binary
    this.root = root
    this.vault = join(root, 'Notes 笔记')
    this.home = join(root, 'home')
    this.env = {
      ...process.env,
      HOME: root,
      XDG_CONFIG_HOME: join(root, 'config'),
      NOTEGATE_HOME: this.home,
      // The build's folder may lie outside the checkout, from where the program would not find it.
      NOTEGATE_MCPVAULT: MCPVAULT,
    }
    this.output = ''
  }

  /** The vault, and settings made by the command line while nothing runs. */
  async #furnish() {
    await mkdir(join(this.vault, 'many'), { recursive: true })
    await writeFile(join(this.vault, 'Greeting.md'), GREETING)
    const pages = Array.from({ length: NOTES }, (_, n) =>
      writeFile(join(this.vault, 'many', `${n}.md`), `# Note ${n}\n\n${'A line about nothing. '.repeat(200)}\n`))
    await Promise.all(pages)
    const added = await this.cli('runtime', 'add', 'custom', '--name', 'Peer', '--assign', 'obsidian')
    this.key = added.key
    this.runtime = added.runtime.id
    await this.cli('obsidian', 'scope', this.vault)
    await this.cli('obsidian', 'enable')
  }

  /** Starts the server and waits for the line that says where it listens. */
  async serve(port) {
    this.process = spawn(this.binary, ['serve', '--json', '--port', String(port)], { env: this.env })
    this.process.stderr.on('data', (text) => { this.output += text })
    this.exit = new Promise((resolve) => this.process.once('exit', (code, signal) => resolve(code ?? signal)))
    const lines = createInterface({ input: this.process.stdout })
    const ready = new Promise((resolve) => lines.once('line', resolve))
    const gone = this.exit.then((code) => { throw new Error(`serve ended with ${code}: ${this.output}`) })
    const { mcp, tools } = JSON.parse(await within(30_000, Promise.race([ready, gone])))
    gone.catch(() => {})
    Object.assign(this, { mcp, tools, port: Number(new URL(mcp).port), pid: this.process.pid })
  }

  /** One verb of the command line, with its answer. */
  async cli(...args) {
    const { stdout } = await run(this.binary, ['--json', ...args], { env: this.env, timeout: 60_000 })
    return stdout.trim() === '' ? null : JSON.parse(stdout)
  }

  note(...parts) {
    return readFile(join(this.vault, ...parts), 'utf8')
  }

  /** The processes that the gateway started and that still live, by their command lines. */
  async children() {
    const parents = new Map()
    const lines = new Map()
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      try {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        if (state === 'Z') continue
        parents.set(Number(pid), Number(parent))
        lines.set(Number(pid), (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim())
      } catch {
        // It ended while we looked.
      }
    }
    const below = (pid) => {
      const parent = parents.get(pid)
      return parent === this.pid || (parent !== undefined && below(parent))
    }
    return [...lines].filter(([pid]) => below(pid)).map(([, line]) => line)
  }

  noChildLeft() {
    return eventually('no child process is left', async () => (await this.children()).length === 0)
  }

  /** Asks for the end as a person or a service manager would, and gives the exit code. */
  async stop() {
    this.process.kill('SIGTERM')
    return within(20_000, this.exit)
  }

  async remove() {
    if (this.process.exitCode === null) this.process.kill('SIGKILL')
    await rm(this.root, { recursive: true, force: true })
  }
}
