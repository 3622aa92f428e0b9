// The judge of chunks: prismarine-chunk and prismarine-provider-anvil write
// chunks into region files as they are told, and say what they read in
// others. judge.mjs describes the conversation; chunk.go has the other side.
//
//   open     {world, version}                  -> {numbering}
//   define   {world, blocks, biomes}           -> {states}
//   write    {world, folder, chunks}           -> {}
//   read     {world, folder, at, how}          -> {chunks}
//
// world is a name for what later requests use. open takes the registry of a
// game version from minecraft-data; chunk_world.mjs has the rest. chunks and
// what numbers mean in them are described in chunk_cells.mjs. at is a list of
// [x, z]; how is "cells", or "digests" for one digest in place of each array.

import { serve } from './judge.mjs'
import { digests, cells, fill, report } from './chunk_cells.mjs'
import { defineWorld, openWorld } from './chunk_world.mjs'

const worlds = new Map()
const ways = { cells, digests }

function worldOf(request) {
  if (!worlds.has(request.world)) throw new Error(`no world ${request.world}`)
  return worlds.get(request.world)
}

// inFolder runs f with the region files of a folder, and closes them.
async function inFolder({ Anvil }, folder, f) {
  const anvil = new Anvil(folder)
  try {
    return await f(anvil)
  } finally {
    await anvil.close()
  }
}

await serve({
  open: ({ world, version }) => {
    const opened = openWorld(version)
    worlds.set(world, opened)
    return { numbering: opened.numbering() }
  },
  define: ({ world, blocks, biomes }) => {
    const { states, ...defined } = defineWorld(blocks, biomes)
    worlds.set(world, defined)
    return { states }
  },
  write: async request => {
    const world = worldOf(request)
    await inFolder(world, request.folder, async anvil => {
      for (const chunk of request.chunks) {
        const column = world.make()
        fill(column, chunk)
        await anvil.saveRaw(chunk.x, chunk.z, world.toNBT(column, chunk.x, chunk.z))
      }
    })
    return {}
  },
  read: async request => {
    const world = worldOf(request)
    if (!Object.hasOwn(ways, request.how)) throw new Error(`no way ${request.how}`)
    const chunks = await inFolder(world, request.folder, async anvil => {
      const list = []
      for (const [x, z] of request.at) {
        const tag = await anvil.loadRaw(x, z)
        if (tag === null) throw new Error(`no chunk at ${x}, ${z}`)
        list.push({ x, z, ...report(world.fromNBT(tag), ways[request.how]) })
      }
      return list
    })
    return { chunks }
  }
})
