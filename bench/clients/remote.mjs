// The judge of what is asked from outside of the game: status and remote console,
// on loopback. judge.mjs describes the conversation.
//
//   status  {port, kind}                      -> {status}
//   rcon    {port, client, password, lines}   -> {answers}
//
// kind is a function of minecraft-server-util: status, statusFE01FA (1.6),
// statusFE01 (1.4 and 1.5), statusFE (before) or statusLegacy. client is rcon-client
// or minecraft-server-util. The first takes one packet for an answer. To the second a
// line is followed by another, and what comes before the answer to that is the first
// one's.

import { createRequire } from 'node:module'
import { serve } from './judge.mjs'

const require = createRequire(import.meta.url)
const util = require('minecraft-server-util')
const { Rcon } = require('rcon-client')

const host = '127.0.0.1'
const timeout = 20_000

process.removeAllListeners('warning') // that old ways to ask are old, and the like

async function status({ port, kind }) {
  return { status: await util[kind](host, port, { enableSRV: false, timeout }) }
}

// clients have connect, which logs in and returns a function that sends a line and
// one that closes.
const clients = {
  async 'rcon-client'({ port, password }) {
    const rcon = await Rcon.connect({ host, port, password, timeout, maxPending: 2 })
    return {
      send: line => rcon.send(line),
      close: () => rcon.end()
    }
  },
  async 'minecraft-server-util'({ port, password }) {
    const rcon = new util.RCON()
    rcon.on('error', () => {}) // that of its reader, which has no other end
    await rcon.connect(host, port, { timeout })
    await rcon.login(password, { timeout }).catch(err => {
      rcon.close()
      throw err
    })
    const waiting = new Map()
    rcon.on('message', ({ requestID, message }) => waiting.get(requestID)?.(message))
    return {
      async send(line) {
        const parts = []
        const id = await rcon.run(line)
        waiting.set(id, part => parts.push(part))
        const end = await rcon.run('list')
        await new Promise(resolve => waiting.set(end, resolve))
        return parts.join('')
      },
      close: () => rcon.close()
    }
  }
}

async function rcon(request) {
  const client = await clients[request.client](request)
  const answers = []
  for (const line of request.lines) answers.push(await client.send(line))
  await client.close()
  return { answers }
}

await serve({ status, rcon })
