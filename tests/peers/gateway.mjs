// A `notegate serve` with a home and a vault of its own, and the processes below it.

import { execFile, spawn } from 'node:child_process'
import { link, mkdir, mkdtemp, readFile, readdir, readlink, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

import { eventually, within } from './check.mjs'

const run = promisify(execFile)

/** One large note under so many names that a search of them can be caught running. */
const NAMES = 5_000

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
    this.long = join(this.vault, 'long')
    this.home = join(root, 'home')
    this.env = {
      ...process.env,
      HOME: root,
      XDG_CONFIG_HOME: join(root, 'config'),
      NOTEGATE_HOME: this.home,
    }
    this.output = ''
  }

  /** The vault, and settings made by the command line while nothing runs. */
  async #furnish() {
    await mkdir(this.long, { recursive: true })
    await writeFile(join(this.vault, 'Greeting.md'), GREETING)
    const note = join(this.long, '0.md')
    await writeFile(note, '')
    await truncate(note, 4 * 1024 * 1024)
    await Promise.all(Array.from({ length: NAMES - 1 }, (_, n) => link(note, join(this.long, `${n + 1}.md`))))
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

  /** Whether the gateway is at work in the long folder: it holds it open for as long. */
  async searches() {
    const folder = `/proc/${this.pid}/fd`
    const open = (await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => ''))
    return (await Promise.all(open)).some((path) => path.startsWith(this.long))
  }

  async nothingGoesOn() {
    await eventually('the search ends', async () => !(await this.searches()))
    await eventually('no child process is left', async () => (await this.children()).length === 0)
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
