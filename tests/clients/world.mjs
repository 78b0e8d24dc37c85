// A person's folder with nothing in it but what a test puts there, a running `notegate serve`, a kernel, and the
// chat programs, which run in that folder without anything of the tester's own.

import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

import { within } from '../peers/check.mjs'
import { Kernel } from './kernel.mjs'

export const NOTE = '# Garden\n\nThe beans are not sown.\n'

/** Switches off what the programs would ask the network for by themselves. */
const QUIET = {
  CI: '1',
  NO_COLOR: '1',
  DO_NOT_TRACK: '1',
  CONTINUE_TELEMETRY_ENABLED: '0',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
}

/** Runs a program to its end; what it said, and how it ended. */
export function run(command, args, { env, cwd, time = 120_000 } = {}) {
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => { stdout += text })
  child.stderr.on('data', (text) => { stderr += text })
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr, said: stdout + stderr }))
  })
  return within(time, ended).catch((error) => {
    child.kill('SIGKILL')
    throw new Error(`${command} ${args.join(' ')}: ${error.message}\n${stdout}${stderr}`)
  })
}

export class World {
  static async start(binary, packages) {
    const world = new World(binary, packages, await mkdtemp(join(tmpdir(), 'notegate-clients-')))
    await world.#furnish()
    return world
  }

  constructor(binary, packages, root) {
    Object.assign(this, { binary, packages, root })
    this.user = join(root, 'user')
    this.vault = join(root, 'Notes 笔记')
    this.work = join(root, 'work')
    this.env = { PATH: process.env.PATH, HOME: this.user, TMPDIR: join(root, 'tmp'), ...QUIET }
    this.output = ''
  }

  async #furnish() {
    for (const folder of [this.user, this.vault, this.work, this.env.TMPDIR]) await mkdir(folder, { recursive: true })
    await writeFile(join(this.vault, 'Garden.md'), NOTE)
    this.kernel = await Kernel.start([{ id: '20260101120000-abcdefg', content: 'Beans in the old diary' }])
    await this.notegate('obsidian', 'scope', this.vault)
    await this.notegate('obsidian', 'enable')
    await this.notegate('siyuan', 'kernel', 'add', 'diary', '--address', this.kernel.address)
    await this.notegate('siyuan', 'kernel', 'default', 'diary')
    await this.notegate('siyuan', 'enable')
    await this.notegate('siyuan', 'permission', 'diary', 'http POST /api/query/sql', 'allow')
    await this.#serve()
  }

  async #serve() {
    this.process = spawn(this.binary, ['serve', '--json', '--port', '0'], { env: this.env })
    this.process.stderr.on('data', (text) => { this.output += text })
    this.exit = new Promise((resolve) => this.process.once('exit', (code, signal) => resolve(code ?? signal)))
    const ready = new Promise((resolve) => createInterface({ input: this.process.stdout }).once('line', resolve))
    const gone = this.exit.then((code) => { throw new Error(`serve ended with ${code}: ${this.output}`) })
    const { mcp, tools } = JSON.parse(await within(30_000, Promise.race([ready, gone])))
    gone.catch(() => {})
    Object.assign(this, { mcp, tools })
  }

  /** One verb of our command line, with its answer. */
  async notegate(...args) {
    const { code, stdout, stderr } = await run(this.binary, ['--json', ...args], { env: this.env })
    if (code !== 0) throw new Error(`notegate ${args.join(' ')}: ${code} ${stdout}${stderr}`)
    return stdout.trim() === '' ? null : JSON.parse(stdout)
  }

  /** Has our writer configure a program, with both capabilities for a new runtime. */
  connect(program, ...args) {
    const assign = args.includes('--runtime') ? [] : ['--assign', 'obsidian', '--assign', 'siyuan']
    return this.notegate('connect', program, ...assign, ...args)
  }

  /** A file of the person's, theirs alone. */
  async file(name, text) {
    const path = join(this.user, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    await chmod(path, 0o600)
    return path
  }

  read(name) {
    return readFile(join(this.user, name), 'utf8')
  }

  async mode(name) {
    return (await stat(join(this.user, name))).mode & 0o777
  }

  note(name) {
    return readFile(join(this.vault, name), 'utf8')
  }

  /** A file of an installed package. */
  packaged(...parts) {
    return join(this.packages, 'node_modules', ...parts)
  }

  /** Runs a program of a package in the person's folder. */
  program(command, args, env = {}) {
    return run(command, args, { env: { ...this.env, ...env }, cwd: this.work })
  }

  async stop() {
    this.process.kill('SIGTERM')
    return within(20_000, this.exit)
  }

  async remove() {
    this.kernel.close()
    if (this.process?.exitCode === null) this.process.kill('SIGKILL')
    await rm(this.root, { recursive: true, force: true })
  }
}
