// How a chunk is said, in requests and answers:
//
//   {x, z, biomes, sections: [{y, blocks, blockLight, skyLight}]}
//
// blocks are the 4096 states of a section by the world's numbers, in the order
// y<<8 | z<<4 | x; biomes the chunk's biomes by its numbers: one a column in
// the order z<<4 | x before 1.15, else one a quarter cell in the order
// y<<4 | z<<2 | x from the lowest section up. Both are base64 of 16-bit
// little-endian numbers. Light is base64 of two blocks a byte, the first in
// the lower bits. A section is left out if it has neither a block but air
// (number 0) nor light, and light if there is none.
//
// Cells go in and out by the library's methods for single positions alone:
// where it keeps them is its affair.

import { createHash } from 'node:crypto'

const base64 = bytes => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

// cells and digests are how report says an array.
export const cells = base64
export const digests = bytes =>
  createHash('sha1').update(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)).digest('base64')

function numbers(text) {
  const bytes = Buffer.from(text, 'base64')
  return Uint16Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readUInt16LE(2 * i))
}

// each calls f with the position and number of every cell in a section, for
// blocks (edge 16) and quarter cells (edge 4). The position is one object.
function each(edge, y0, f) {
  const step = 16 / edge
  const pos = { x: 0, y: 0, z: 0 }
  let cell = 0
  for (let y = 0; y < edge; y++) {
    pos.y = y0 + y * step
    for (let z = 0; z < edge; z++) {
      pos.z = z * step
      for (let x = 0; x < edge; x++) {
        pos.x = x * step
        f(pos, cell++)
      }
    }
  }
}

// bounds returns the lowest section and how many there are.
const bounds = column => ({ low: column.minY >> 4, count: column.sections.length })

// hasColumns reports whether biomes are given by column: before 1.15.
const hasColumns = column => column.biomes.length === 256

// eachBiome calls f with the position and number of every biome.
function eachBiome(column, f) {
  if (hasColumns(column)) {
    for (let i = 0; i < 256; i++) f({ x: i & 15, y: 0, z: i >> 4 }, i)
    return
  }
  const { low, count } = bounds(column)
  for (let i = 0; i < count; i++) each(4, (low + i) * 16, (pos, cell) => f(pos, i * 64 + cell))
}

// fill tells a new column what is in a chunk.
export function fill(column, chunk) {
  const biomes = numbers(chunk.biomes)
  eachBiome(column, (pos, i) => column.setBiome(pos, biomes[i]))
  for (const { y, blocks, blockLight, skyLight } of chunk.sections) {
    const states = numbers(blocks)
    each(16, y * 16, (pos, i) => column.setBlockStateId(pos, states[i]))
    if (blockLight) light(blockLight, y, (pos, level) => column.setBlockLight(pos, level))
    if (skyLight) light(skyLight, y, (pos, level) => column.setSkyLight(pos, level))
  }
}

function light(text, y, set) {
  const bytes = Buffer.from(text, 'base64')
  each(16, y * 16, (pos, i) => set(pos, bytes[i >> 1] >> (i & 1) * 4 & 15))
}

// report says what a column has, each array by say.
export function report(column, say) {
  const { low, count } = bounds(column)
  const biomes = new Uint16Array(hasColumns(column) ? 256 : count * 64)
  eachBiome(column, (pos, i) => { biomes[i] = column.getBiome(pos) })
  const sections = []
  // Light reaches one section beyond the blocks on either side.
  for (let i = -1; i <= count; i++) {
    const section = reportSection(column, low + i, i, say)
    if (section) sections.push(section)
  }
  return { biomes: say(biomes), sections }
}

function reportSection(column, y, i, say) {
  const section = { y, blocks: '' }
  const blocks = new Uint16Array(4096)
  let some = 0
  if (column.sections[i]) {
    each(16, y * 16, (pos, cell) => { some |= blocks[cell] = column.getBlockStateId(pos) })
  }
  // Chunks of 1.13 have no such lists, and do not tell darkness from nothing.
  if (column.blockLightSections?.[i + 1]) section.blockLight = say(levels(y, pos => column.getBlockLight(pos)))
  if (column.skyLightSections?.[i + 1]) section.skyLight = say(levels(y, pos => column.getSkyLight(pos)))
  if (some === 0 && !section.blockLight && !section.skyLight) return null
  section.blocks = say(blocks)
  return section
}

function levels(y, get) {
  const bytes = new Uint8Array(2048)
  each(16, y * 16, (pos, i) => { bytes[i >> 1] |= get(pos) << (i & 1) * 4 })
  return bytes
}
