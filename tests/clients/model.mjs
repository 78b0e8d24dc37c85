// A scripted model behind the OpenAI chat API: it answers with the tool calls that it is told to make, one a turn,
// then with plain text. What a chat program sends is kept, so that a test sees the tools' answers as a model does.

import { createServer } from 'node:http'

export class Model {
  /** `script`: what to do turn by turn, each `{ name, arguments }`, or `raw` for arguments that are no JSON. */
  static async start(script) {
    const model = new Model(script)
    model.server = createServer((request, response) => model.#take(request, response))
    await new Promise((resolve) => model.server.listen(0, '127.0.0.1', resolve))
    model.url = `http://127.0.0.1:${model.server.address().port}/v1`
    return model
  }

  constructor(script) {
    this.script = script
    this.turn = 0
    /** The answers of the tools, as they came back. */
    this.answers = []
    /** The names of the tools that were offered. */
    this.offered = []
  }

  close() {
    this.server.closeAllConnections()
    this.server.close()
  }

  async #take(request, response) {
    let text = ''
    for await (const piece of request) text += piece
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model' }] }))
    }
    const asked = JSON.parse(text)
    const message = this.#answer(asked)
    if (asked.stream) stream(response, message)
    else whole(response, message)
  }

  #answer({ messages, tools = [] }) {
    // Some programs ask for a title of the conversation, without tools.
    if (tools.length === 0) return { role: 'assistant', content: 'A title' }
    this.offered = tools.map((tool) => tool.function.name)
    this.answers = messages.filter((message) => message.role === 'tool').map((message) => textOf(message.content))
    const step = this.script[this.answers.length]
    if (!step) return { role: 'assistant', content: 'All done.' }
    // Some programs put the server's name before the tool's.
    const name = this.offered.find((offered) => offered === step.name || offered.endsWith(`_${step.name}`))
    const call = { name: name ?? step.name, arguments: step.raw ?? JSON.stringify(step.arguments) }
    return {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `call_${this.answers.length}`, type: 'function', function: call }],
    }
  }
}

function textOf(content) {
  return typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('')
}

const HEAD = { id: 'chatcmpl-1', created: 1, model: 'm' }
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

function reason(message) {
  return message.tool_calls ? 'tool_calls' : 'stop'
}

function whole(response, message) {
  const choices = [{ index: 0, message, finish_reason: reason(message) }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ ...HEAD, object: 'chat.completion', choices, usage: USAGE }))
}

function stream(response, message) {
  const calls = message.tool_calls?.map((call, index) => ({ index, ...call }))
  const delta = calls ? { role: 'assistant', tool_calls: calls } : { role: 'assistant', content: message.content }
  const chunk = (choice, usage) => {
    const value = { ...HEAD, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }], usage }
    response.write(`data: ${JSON.stringify(value)}\n\n`)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  chunk({ delta, finish_reason: null })
  chunk({ delta: {}, finish_reason: reason(message) }, USAGE)
  response.end('data: [DONE]\n\n')
}
