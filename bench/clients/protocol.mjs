// The judge of the protocol: minecraft-protocol's own reader and writer of
// packets, on the schema of minecraft-data. judge.mjs describes the
// conversation.
//
//   reencode    {version, state, serverbound, packets}  -> {packets}
//
// packets is a list of packets in base64, number and fields without a frame.
// The answer has for each its name, how many bytes were read, and what the
// library writes of what it read; or an error.

import { createRequire } from 'node:module'
import { serve } from './judge.mjs'

const require = createRequire(import.meta.url)
const { createDeserializer, createSerializer } = require('minecraft-protocol')

const protocols = new Map()

// protocol returns the reader and writer of a state, compiled once.
function protocol({ version, state, serverbound }) {
  const key = `${version} ${state} ${serverbound}`
  if (!protocols.has(key)) {
    // The library calls the reader of what clients send the server's.
    const options = { state, version, isServer: serverbound, noErrorLogging: true }
    protocols.set(key, {
      reader: createDeserializer(options).proto,
      writer: createSerializer({ ...options, isServer: !serverbound }).proto
    })
  }
  return protocols.get(key)
}

function reencode(request) {
  const { reader, writer } = protocol(request)
  return {
    packets: request.packets.map(text => {
      let name
      try {
        const { data, metadata } = reader.parsePacketBuffer('packet', Buffer.from(text, 'base64'))
        name = data.name
        return { name, size: metadata.size, data: writer.createPacketBuffer('packet', data).toString('base64') }
      } catch (err) {
        return { name, error: String(err?.message || err || 'unnamed error') }
      }
    })
  }
}

await serve({ reencode })
