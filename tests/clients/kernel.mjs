// As much of a SiYuan kernel as one query needs: it starts, has a workspace, wants no token, and answers SQL.

import { createServer } from 'node:http'

export class Kernel {
  /** `rows`: what every query finds. */
  static async start(rows) {
    const kernel = new Kernel()
    /** The statements that it was asked. */
    kernel.statements = []
    const answers = {
      '/api/system/version': () => '3.8.6',
      '/api/system/bootProgress': () => ({ progress: 100, details: '' }),
      '/api/system/getWorkspaceInfo': () => ({ workspaceDir: '/home/somebody/SiYuan', siyuanVer: '3.8.6' }),
      '/api/system/getWorkspaces': () => [],
      '/api/query/sql': ({ stmt }) => {
        kernel.statements.push(stmt)
        return rows
      },
    }
    kernel.server = createServer(async (request, response) => {
      let text = ''
      for await (const piece of request) text += piece
      const answer = answers[request.url]
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
      const body = text === '' ? {} : JSON.parse(text)
      response.end(answer ? JSON.stringify({ code: 0, msg: '', data: answer(body) }) : 'null')
    })
    await new Promise((resolve) => kernel.server.listen(0, '127.0.0.1', resolve))
    kernel.address = `http://127.0.0.1:${kernel.server.address().port}`
    return kernel
  }

  close() {
    this.server.closeAllConnections()
    this.server.close()
  }
}
