// The judge of chunk packets: reads level_chunk_with_light packets of 26.1
// with minecraft-protocol and prismarine-chunk, and writes what they say.
//
//   node judge.mjs FOLDER PACKETS CELLS
//
// FOLDER has node_modules, PACKETS is read and CELLS written. Input and output are little-endian. A packet is an
// int32 of its length, an int32 minY, an int32 height, and its bytes. What is
// written for each: x and z as int32; the states of all blocks, y by y, then z,
// then x, as uint16; the biomes of quarter cells in the same order, as uint16;
// sky light and block light from a section below to one above, a byte a block;
// how many block entities there are, as int32.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { openSync, readFileSync, writeSync } from 'node:fs'

const require = createRequire(join(process.argv[2], 'judge.js'))
const { createDeserializer } = require('minecraft-protocol')
const Chunk = require('prismarine-chunk')(require('prismarine-registry')('26.1'))

const { proto } = createDeserializer({ state: 'play', version: '26.1', isServer: false, noErrorLogging: true })

const output = openSync(process.argv[4], 'w')

function write (bytes) {
  for (let at = 0; at < bytes.length;) at += writeSync(output, bytes, at)
}

// eights is an array of light with the bytes of each eight the other way round:
// the library takes them for longs, which the game's light is not (see
// LightReversed in bench/clients).
function eights (light) {
  return Buffer.from(light).swap64()
}

function judge (bytes, minY, height) {
  const { data, metadata } = proto.parsePacketBuffer('packet', bytes)
  if (metadata.size !== bytes.length) throw new Error(`${metadata.size} of ${bytes.length} bytes were read`)
  const p = data.params
  const column = new Chunk({ minY, worldHeight: height })
  column.load(p.chunkData)
  column.loadParsedLight(p.skyLight.map(eights), p.blockLight.map(eights), p.skyLightMask, p.blockLightMask, p.emptySkyLightMask, p.emptyBlockLightMask)
  const head = Buffer.alloc(8)
  head.writeInt32LE(p.x, 0)
  head.writeInt32LE(p.z, 4)
  const states = new Uint16Array(256 * height)
  const biomes = new Uint16Array(4 * height)
  const sky = new Uint8Array(256 * (height + 32))
  const block = new Uint8Array(256 * (height + 32))
  const pos = { x: 0, y: 0, z: 0 }
  let light = 0
  let cell = 0
  let quarter = 0
  for (pos.y = minY - 16; pos.y < minY + height + 16; pos.y++) {
    const inside = pos.y >= minY && pos.y < minY + height
    for (pos.z = 0; pos.z < 16; pos.z++) {
      for (pos.x = 0; pos.x < 16; pos.x++) {
        sky[light] = column.getSkyLight(pos)
        block[light++] = column.getBlockLight(pos)
        if (inside) states[cell++] = column.getBlockStateId(pos)
        if (inside && !(pos.x & 3 || pos.z & 3 || pos.y & 3)) biomes[quarter++] = column.getBiome(pos)
      }
    }
  }
  const tail = Buffer.alloc(4)
  tail.writeInt32LE(p.blockEntities.length, 0)
  for (const part of [head, states, biomes, sky, block, tail]) write(new Uint8Array(part.buffer, part.byteOffset, part.byteLength))
}

const input = readFileSync(process.argv[3])
for (let at = 0; at < input.length;) {
  const [length, minY, height] = [0, 4, 8].map(i => input.readInt32LE(at + i))
  judge(input.subarray(at + 12, at + 12 + length), minY, height)
  at += 12 + length
}
