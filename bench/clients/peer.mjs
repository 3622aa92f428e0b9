// Runs prismarine-provider-anvil beside Strata's storage benchmark, by the
// protocol that bench/peers/doc.go describes.
//
// Its loadRaw and saveRaw are measured: a chunk read, inflated and parsed into
// objects, and objects encoded, compressed and written. Its own chunk type knows
// no version of 26. The clock is the wall's, as Node has none for a thread;
// process_ns is the CPU time of the whole process. Only the library's calls are
// in it.

import { createRequire } from 'node:module'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

const require = createRequire(import.meta.url)
const provider = require('prismarine-provider-anvil')
const nbt = require('prismarine-nbt')

const width = 32
// Raw chunks are the same to the library in all versions that it knows.
const Anvil = provider.Anvil('1.21')

let sample = null

// Measure sums the time of calls.
class Measure {
  wall = 0n
  cpu = 0 // µs

  async of(call) {
    const cpu = process.cpuUsage()
    const wall = process.hrtime.bigint()
    const result = await call()
    this.wall += process.hrtime.bigint() - wall
    const used = process.cpuUsage(cpu)
    this.cpu += used.user + used.system
    return result
  }
}

// places are the positions of the sample's chunks: the slots of each file that
// are in use, in their order.
async function places(regions) {
  const found = []
  for (const path of regions) {
    const [, x, z] = /r\.(-?\d+)\.(-?\d+)\.mca$/.exec(path).map(Number)
    const header = Buffer.alloc(width * width * 4)
    const file = await open(path)
    await file.read(header, 0, header.length, 0)
    await file.close()
    for (let slot = 0; slot < width * width; slot++) {
      if (header.readUInt32BE(slot * 4) === 0) continue
      found.push({ dir: dirname(path), x: x * width + slot % width, z: z * width + Math.floor(slot / width) })
    }
  }
  return found
}

async function load({ sample: path, regions, dir }) {
  const data = await readFile(path)
  const chunks = []
  let bytes = 0
  for (let at = 0; at < data.length;) {
    const length = data.readUInt32LE(at)
    // A copy: slices would keep the file.
    chunks.push(Buffer.from(data.subarray(at + 4, at + 4 + length)))
    at += 4 + length
    bytes += length
  }
  const at = await places(regions ?? [])
  if (at.length !== chunks.length) throw new Error(`the files hold ${at.length} chunks, the sample ${chunks.length}`)
  if (new Set(at.map(p => p.dir)).size !== 1) throw new Error('the files are in more than one folder')
  sample = { chunks, bytes, at, dir, world: null, verified: new Set() }
  return { chunks: chunks.length, bytes }
}

// same fails unless a tag is what the payload says, byte for byte.
function same(tag, payload, i) {
  if (!tag || !nbt.writeUncompressed(tag, 'big').equals(payload)) throw new Error(`chunk ${i}: the results are wrong`)
}

async function readAll(world, measure, verify) {
  for (let i = 0; i < sample.at.length; i++) {
    const { x, z } = sample.at[i]
    const tag = await measure.of(() => world.loadRaw(x, z))
    if (!tag?.value?.sections && !tag?.value?.Level) throw new Error(`chunk ${i} was not read`)
    if (verify) same(tag, sample.chunks[i], i)
  }
}

const ops = {
  'storage/load-kept': async (measure, verify) => {
    sample.world ??= new Anvil(sample.at[0].dir)
    await readAll(sample.world, measure, verify)
  },
  'storage/scan-kept': async (measure, verify) => {
    const world = new Anvil(sample.at[0].dir)
    await readAll(world, measure, verify)
    await measure.of(() => world.close())
  },
  'storage/save': async (measure, verify) => {
    const folder = join(sample.dir, 'saved')
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const world = new Anvil(folder)
    for (let i = 0; i < sample.chunks.length; i++) {
      const { x, z } = sample.at[i]
      const tag = nbt.parseUncompressed(sample.chunks[i], 'big')
      await measure.of(() => world.saveRaw(x, z, tag))
    }
    await measure.of(() => world.close())
    if (!verify) return
    const saved = new Anvil(folder)
    await readAll(saved, new Measure(), true)
    await saved.close()
  }
}

async function pass(op) {
  if (!sample) throw new Error('no sample')
  const run = ops[op]
  if (!run) throw new Error('no such op')
  if (!sample.verified.has(op)) {
    await run(new Measure(), true)
    sample.verified.add(op)
  }
  globalThis.gc?.()
  const measure = new Measure()
  await run(measure, false)
  const ns = Number(measure.wall)
  return { clock: 'wall', ns, wall_ns: ns, process_ns: measure.cpu * 1000, chunks: sample.chunks.length, bytes: sample.bytes }
}

const say = value => process.stdout.write(JSON.stringify(value) + '\n')

say({
  peer: 'prismarine',
  version: require('prismarine-provider-anvil/package.json').version,
  node: process.version,
  ops: Object.keys(ops)
})
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  try {
    say({ op: request.op, ...(request.op === 'load' ? await load(request) : await pass(request.op)) })
  } catch (error) {
    say({ op: request.op, error: String(error?.message ?? error).slice(0, 2000) })
  }
}
