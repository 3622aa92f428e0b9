// The judge of servers: minecraft-protocol's client, on loopback. judge.mjs
// describes the conversation.
//
//   ping    {port}                              -> {status}
//   join    {port, version, username, session?} -> {events, uuid, username, error}
//
// join connects and stays until the server ends it. events are the packets of
// the server as {state, name}. session, if given, is {address, token, id}: the
// session service to tell of the login in online mode, and who is to be told.

import { createRequire } from 'node:module'
import { serve } from './judge.mjs'

const require = createRequire(import.meta.url)
const mc = require('minecraft-protocol')

const host = '127.0.0.1'

async function ping({ port, version }) {
  return { status: await mc.ping({ host, port, version, noPongTimeout: 2000, closeTimeout: 5000 }) }
}

function join({ port, version, username, session }) {
  const options = { host, port, version, username, auth: 'offline', hideErrors: true, keepAlive: true }
  if (session) {
    options.sessionServer = session.address
    options.haveCredentials = true
    options.accessToken = session.token
    options.auth = (client, options) => {
      client.username = username
      client.session = { selectedProfile: { id: session.id, name: username } }
      options.connect(client)
    }
  }
  const client = mc.createClient(options)
  const answer = { events: [] }
  client.on('packet', (data, meta) => {
    answer.events.push({ state: meta.state, name: meta.name })
    if (meta.name === 'disconnect' || meta.name === 'kick_disconnect') answer.reason = JSON.stringify(data.reason)
  })
  client.on('error', err => { answer.error ||= String(err?.message || err) })
  return new Promise(resolve => {
    client.on('end', () => resolve({ ...answer, uuid: client.uuid, username: client.username }))
  })
}

await serve({ ping, join })
