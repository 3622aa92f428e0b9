// What the libraries need to know of a game version, and how they turn chunks
// into NBT and back.

import { createRequire } from 'node:module'

// The libraries load each other by require, and share what they have loaded.
const require = createRequire(import.meta.url)
const provider = require('prismarine-provider-anvil')
const prismarineChunk = require('prismarine-chunk')
const prismarineRegistry = require('prismarine-registry')
const nbt = require('prismarine-nbt')

// openWorld takes a game version as minecraft-data has it.
export function openWorld(version) {
  const registry = prismarineRegistry(version)
  const Chunk = prismarineChunk(registry)
  const { prismarineChunkToNbt, nbtChunkToPrismarineChunk } = provider.chunk(registry)
  return {
    Anvil: provider.Anvil(version),
    make: () => new Chunk(),
    toNBT: prismarineChunkToNbt,
    fromNBT: tag => nbtChunkToPrismarineChunk(withBlocks(tag)),
    numbering: () => ({
      blocks: registry.blocksArray.map(({ name, minStateId, states }) => ({
        name, first: minStateId, properties: states.map(({ name, type, num_values: count, values }) => ({ name, type, count, values }))
      })),
      biomes: registry.biomesArray.map(({ id, name }) => ({ id, name }))
    })
  }
}

// withBlocks leaves out sections without block_states, which the library cannot
// read. Chunks with Level have nothing at that place.
function withBlocks(tag) {
  const list = tag.value.sections?.value
  if (!list || list.value.every(section => section.block_states)) return tag
  const value = list.value.filter(section => section.block_states)
  return { ...tag, value: { ...tag.value, sections: { type: 'list', value: { ...list, value } } } }
}

// baseVersion is the registry that defineWorld replaces blocks and biomes of.
// It must be one whose chunks lie on disk as those of 26.2 do, as they have
// since 1.18, but from before 26.1: since then sections also count their
// fluids, for the network, for which the library makes an object of every
// block that it reads.
const baseVersion = '1.21.11'

// defineWorld takes blocks in the form of the game's report, for a version
// that neither minecraft-data nor the provider knows, and names of biomes,
// whose numbers are their places. Such a world can be read only.
export function defineWorld(report, biomeNames) {
  const registry = prismarineRegistry(baseVersion)
  const blocks = Object.entries(report).map(([name, block], id) => blockOf(id, bare(name), block))
  const biomes = biomeNames.map((name, id) => ({ id, name: bare(name) }))
  Object.assign(registry, {
    blocks,
    blocksArray: blocks,
    blocksByName: byName(blocks),
    blocksByStateId: {},
    blockCollisionShapes: undefined,
    biomes,
    biomesArray: biomes,
    biomesByName: byName(biomes)
  })
  for (const block of blocks) {
    for (let id = block.minStateId; id <= block.maxStateId; id++) registry.blocksByStateId[id] = block
  }
  const states = checkStates(registry, report)
  const Chunk = prismarineChunk(registry)
  return {
    Anvil: provider.Anvil(baseVersion),
    make: () => { throw new Error('this world can only be read') },
    fromNBT: tag => columnOf(Chunk, tag),
    states
  }
}

const bare = name => name.replace('minecraft:', '')
const byName = list => Object.fromEntries(list.map(entry => [entry.name, entry]))

function blockOf(id, name, { properties = {}, states }) {
  const ids = states.map(state => state.id)
  return {
    id,
    name,
    displayName: name,
    minStateId: Math.min(...ids),
    maxStateId: Math.max(...ids),
    states: Object.entries(properties).map(([name, values]) =>
      ({ name, type: values.join() === 'true,false' ? 'bool' : 'enum', num_values: values.length, values }))
  }
}

// checkStates has the library number every state of the report, which says
// itself what the number is, and returns how many there are.
function checkStates(registry, report) {
  const Block = require('prismarine-block')(registry)
  let count = 0
  for (const [name, { states }] of Object.entries(report)) {
    for (const { id, properties = {} } of states) {
      const got = Block.fromProperties(bare(name), properties).stateId
      if (got !== id) throw new Error(`${name} ${JSON.stringify(properties)} is state ${id}, and ${got} for prismarine-block`)
      count++
    }
  }
  return count
}

// columnOf does what the provider does for the versions that it knows.
function columnOf(Chunk, tag) {
  const { sections } = nbt.simplify({ type: 'compound', value: { sections: withBlocks(tag).value.sections } })
  const ys = sections.map(section => section.Y)
  // The library finds sections right only in a range that begins at or below 0.
  const low = Math.min(0, ...ys)
  const column = new Chunk({ minY: low * 16, worldHeight: (Math.max(...ys) - low + 1) * 16 })
  for (const section of sections) {
    column.loadSection(section.Y,
      { ...section.block_states, bitsPerBlock: bits(section.block_states.palette.length, 4) },
      { ...section.biomes, bitsPerBiome: bits(section.biomes.palette.length, 1) },
      section.BlockLight, section.SkyLight)
  }
  return column
}

// bits is the width of an index into a palette.
const bits = (entries, least) => entries === 1 ? 0 : Math.max(least, Math.ceil(Math.log2(entries)))
