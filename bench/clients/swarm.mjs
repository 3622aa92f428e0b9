// The judge of many: clients of minecraft-protocol that move and look, on loopback.
// judge.mjs describes the conversation.
//
//   swarm  {port, version, bots, seconds, fly}  -> {joined, moves, corrections, chunks, holes, ended}
//
// The bots join one after another. Then all move for some seconds, 20 times in each:
// on foot about where they appeared, on ground that must be flat; or, with fly, as
// spectators away from there, each in a direction of its own, high up, as far as
// chunks have come. corrections are the times that the server moved a bot after its
// first place; ended says which bots did not stay, and why. holes are the chunks of
// a bot's view that have not come when all else has, or patience has ended: those
// for which the game draws a chunk, which are within the view distance after one chunk
// on each axis.

import { createRequire } from 'node:module'
import { serve } from './judge.mjs'

const require = createRequire(import.meta.url)
const mc = require('minecraft-protocol')

const host = '127.0.0.1'
const tick = 50 // ms
const patience = 60_000
const pace = 0.2 // blocks a tick
const flight = 0.5
const height = 200
const roam = 12 // blocks from where a bot appeared
const joining = 8 // at once

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))
const key = (x, z) => `${x},${z}`

class Bot {
  constructor(name, { port, version }) {
    Object.assign(this, { name, chunks: new Set(), seen: 0, moved: -1, moves: 0, yaw: 0 })
    const client = this.client = mc.createClient({ host, port, version, username: name, auth: 'offline', hideErrors: true })
    client.on('error', err => { this.ended ||= String(err?.message || err) })
    client.on('kick_disconnect', ({ reason }) => { this.ended = `kicked: ${JSON.stringify(reason)}` })
    client.on('end', why => { if (!this.leaving) this.ended ||= `ended: ${why}` })
    client.on('login', packet => { this.distance = packet.viewDistance })
    client.on('update_view_distance', packet => { this.distance = packet.viewDistance })
    client.on('update_view_position', packet => { this.center = [packet.chunkX, packet.chunkZ] })
    client.on('map_chunk', ({ x, z }) => { this.chunks.add(key(x, z)); this.seen++ })
    client.on('unload_chunk', ({ chunkX, chunkZ }) => this.chunks.delete(key(chunkX, chunkZ)))
    client.on('chunk_batch_finished', () => client.write('chunk_batch_received', { chunksPerTick: 20 }))
    client.on('position', packet => this.place(packet))
  }

  place({ x, y, z, teleportId }) {
    this.moved++
    Object.assign(this, { x, y, z })
    if (this.moved === 0) this.home = [x, z]
    this.client.write('teleport_confirm', { teleportId })
    if (this.moved === 0) this.client.write('player_loaded', {})
    this.send()
  }

  send() {
    const flags = { onGround: !this.flies, hasHorizontalCollision: false }
    this.client.write('position', { x: this.x, y: this.y, z: this.z, flags })
  }

  // step goes on in the bot's direction, or turns.
  step(length) {
    const x = this.x + Math.cos(this.yaw) * length
    const z = this.z + Math.sin(this.yaw) * length
    if (!this.flies && Math.hypot(x - this.home[0], z - this.home[1]) > roam) this.yaw += 2
    else if (this.chunks.has(key(Math.floor(x / 16), Math.floor(z / 16)))) Object.assign(this, { x, z })
    if (this.flies && this.y < height) this.y += 1
    this.moves++
    this.send()
  }

  // holes are the chunks that are missing around the bot.
  holes() {
    const x = Math.floor(this.x / 16)
    const z = Math.floor(this.z / 16)
    if (this.center?.[0] !== x || this.center?.[1] !== z) return [`the centre is ${this.center}, not ${x},${z}`]
    const missing = []
    const d = this.distance
    for (let dx = -d; dx <= d; dx++) {
      for (let dz = -d; dz <= d; dz++) {
        const far = Math.hypot(Math.max(Math.abs(dx) - 1, 0), Math.max(Math.abs(dz) - 1, 0))
        if (far < d && !this.chunks.has(key(x + dx, z + dz))) missing.push(key(x + dx, z + dz))
      }
    }
    return missing
  }
}

// until waits until done for all bots that are still there.
async function until(bots, done) {
  for (const began = Date.now(); Date.now() - began < patience && !bots.every(b => b.ended || done(b));) await sleep(tick)
}

async function swarm(request) {
  const bots = []
  for (let i = 0; i < request.bots; i++) {
    const bot = new Bot(`Bot_${i}`, request)
    Object.assign(bot, { flies: request.fly, yaw: 2 * Math.PI * i / request.bots })
    bots.push(bot)
    if (i % joining === joining - 1) await until(bots, b => b.home)
  }
  await until(bots, b => b.home && b.chunks.has(key(Math.floor(b.x / 16), Math.floor(b.z / 16))))
  const joined = bots.filter(b => b.home).length
  for (const began = Date.now(), n = { ticks: 0 }; Date.now() - began < request.seconds * 1000; n.ticks++) {
    for (const bot of bots) if (bot.home && !bot.ended) bot.step(request.fly ? flight : pace)
    await sleep(Math.max(began + (n.ticks + 1) * tick - Date.now(), 0))
  }
  await until(bots, b => b.holes().length === 0)
  const answer = { joined, moves: 0, corrections: 0, chunks: 0, holes: [], ended: [] }
  for (const bot of bots) {
    answer.moves += bot.moves
    answer.corrections += Math.max(bot.moved, 0)
    answer.chunks += bot.seen
    if (bot.ended) answer.ended.push(`${bot.name}: ${bot.ended}`)
    else answer.holes.push(...bot.holes().map(at => `${bot.name}: ${at}`))
    bot.leaving = true
    bot.client.end()
  }
  return answer
}

await serve({ swarm })
