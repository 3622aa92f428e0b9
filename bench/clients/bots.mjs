// The judge of play: bots of mineflayer, on loopback. judge.mjs describes the
// conversation.
//
//   join    {name, port, version}       -> {x, y, z, gameMode}
//   walk    {name, x, z}                -> {x, y, z}
//   place   {name, item, x, y, z}       -> {}
//   dig     {name, x, y, z}             -> {}
//   move    {name, x, y, z, item, count} -> {items}
//   blocks  {name, places}              -> {states}
//   say     {name, text}                -> {}
//   wait    {name, ...}                 -> {}
//   seen    {name}                      -> {x, y, z, dimension, corrections, heard, broken, others}
//   leave   {name}                      -> {}
//
// walk goes by mineflayer-pathfinder to within 1 block. place puts a block of
// creative mode's on top of the one below a place, dig breaks one as long as its
// tool and game mode take. move opens a container, puts so many of an item into it,
// or takes them out for a negative count, and says what is in it then, by name.
// wait is for one of heard, a text that somebody said;
// other, a player who is within 2 blocks of x, z; dimension; broken, a
// block that another player broke; or state, of the block at x, y, z. seen
// counts the times that the server has moved a bot, the first one apart.
//
// A bot's clock goes faster than others: it makes more steps in a second, each as
// long as in the game.

import { createRequire } from 'node:module'
import { performance } from 'node:perf_hooks'
import { serve } from './judge.mjs'

const require = createRequire(import.meta.url)
const speed = 4
const realNow = performance.now.bind(performance)
performance.now = () => realNow() * speed // physics and pathfinder ask it

const mineflayer = require('mineflayer')
const { pathfinder, Movements, goals } = require('mineflayer-pathfinder')
const { Vec3 } = require('vec3')

const host = '127.0.0.1'
const patience = 140_000 // less than that of who asks

// What prismarine-physics makes of boxes has no tolerance: with a width of 0.6, one
// that touches the block at x 32 is in it by a rounding, and walks on into it. Sums
// of whole numbers and these are exact.
const exact = { playerHalfWidth: 5 / 16, playerHeight: 29 / 16 }

const bots = new Map()

// within waits for a promise until patience ends.
function within(promise, what) {
  let timer
  const late = new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${patience} ms`)), patience)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

function bot({ name }) {
  const one = bots.get(name)
  if (!one) throw new Error(`no bot ${name}`)
  if (one.ended) throw new Error(`${name}: ${one.ended}`)
  return one
}

async function join({ name, port, version }) {
  const one = mineflayer.createBot({ host, port, version, username: name, auth: 'offline', hideErrors: true })
  Object.assign(one, { moved: -1, heard: [], broken: [] })
  one._client.on('position', () => { one.moved++ })
  one.on('chat', (from, text) => one.heard.push(`<${from}> ${text}`))
  one._client.on('world_event', e => { if (e.effectId === 2001) one.broken.push(place(e.location)) })
  one.on('kicked', reason => { one.ended ||= `kicked: ${JSON.stringify(reason)}` })
  one.on('error', err => { one.ended ||= String(err?.stack || err) })
  one.on('end', reason => { one.ended ||= `ended: ${reason}`; bots.delete(name) })
  one.once('login', () => Object.assign(one.physics, exact))
  one.loadPlugin(pathfinder)
  bots.set(name, one)
  const failed = new Promise((resolve, reject) => {
    one.on('end', () => reject(new Error(one.ended)))
  })
  await within(Promise.race([new Promise(resolve => one.once('spawn', resolve)), failed]), 'spawn')
  await within(Promise.race([one.waitForChunksToLoad(), failed]), 'chunks')
  failed.catch(() => {})
  const moves = new Movements(one)
  moves.canDig = false
  moves.allow1by1towers = false
  moves.scafoldingBlocks = []
  one.pathfinder.setMovements(moves)
  one.pathfinder.thinkTimeout = patience
  return { ...position(one), gameMode: one.game.gameMode }
}

const place = ({ x, y, z }) => `${x} ${y} ${z}`
const position = one => ({ x: one.entity.position.x, y: one.entity.position.y, z: one.entity.position.z })

async function walk(request) {
  const one = bot(request)
  await within(one.pathfinder.goto(new goals.GoalNearXZ(request.x, request.z, 1)), 'walk').finally(() => one.pathfinder.setGoal(null))
  return position(one)
}

async function placeBlock(request) {
  const one = bot(request)
  const { registry } = one
  const Item = require('prismarine-item')(registry)
  const id = registry.itemsByName[request.item]?.id
  if (id === undefined) throw new Error(`no item ${request.item}`)
  const hand = 36 + one.quickBarSlot
  one._client.write('set_creative_slot', { slot: hand, item: Item.toNotch(new Item(id, 1)) })
  one._setSlot(hand, new Item(id, 1))
  const below = one.blockAt(new Vec3(request.x, request.y - 1, request.z))
  await one.lookAt(below.position.offset(0.5, 1, 0.5), true)
  await one._placeBlockWithOptions(below, new Vec3(0, 1, 0), { forceLook: 'ignore', swingArm: 'right' })
  return {}
}

async function dig(request) {
  const one = bot(request)
  await within(one.dig(one.blockAt(new Vec3(request.x, request.y, request.z)), true), 'dig')
  return {}
}

async function move(request) {
  const one = bot(request)
  const { id } = one.registry.itemsByName[request.item]
  const window = await within(one.openContainer(one.blockAt(new Vec3(request.x, request.y, request.z))), 'open')
  if (request.count > 0) await within(window.deposit(id, null, request.count), 'deposit')
  if (request.count < 0) await within(window.withdraw(id, null, -request.count), 'withdraw')
  const items = {}
  for (const { name, count } of window.containerItems()) items[name] = (items[name] || 0) + count
  window.close()
  return { items }
}

// state is a block as commands write it.
function state(one, at) {
  const block = one.blockAt(new Vec3(at.x, at.y, at.z))
  if (!block) return 'not loaded'
  const properties = Object.entries(block.getProperties()).map(([k, v]) => `${k}=${v}`).sort()
  return `minecraft:${block.name}` + (properties.length ? `[${properties.join(',')}]` : '')
}

function blocks(request) {
  const one = bot(request)
  return { states: request.places.map(at => state(one, at)) }
}

function say(request) {
  bot(request).chat(request.text)
  return {}
}

async function wait(request) {
  const one = bot(request)
  const there = () => {
    bot(request) // for the error of one that has ended
    if (request.heard) return one.heard.includes(request.heard)
    if (request.broken) return one.broken.includes(place(request.broken))
    if (request.dimension) return one.game.dimension === request.dimension && one.blockAt(one.entity.position) !== null
    if (request.state) return state(one, request) === request.state
    const other = one.players[request.other]?.entity?.position
    return other && Math.hypot(other.x - request.x, other.z - request.z) < 2
  }
  for (const began = Date.now(); !there();) {
    if (Date.now() - began > patience) {
      throw new Error(`nothing of ${JSON.stringify(request)} in ${patience} ms, but ${JSON.stringify(seen(request))}`)
    }
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return {}
}

function seen(request) {
  const one = bot(request)
  const others = {}
  for (const { username, entity } of Object.values(one.players)) {
    if (username !== request.name && entity) others[username] = entity.position
  }
  return { ...position(one), dimension: one.game.dimension, corrections: one.moved, heard: one.heard, broken: one.broken, others }
}

async function leave(request) {
  const one = bot(request)
  const ended = new Promise(resolve => one.once('end', resolve))
  one.quit()
  await within(ended, 'leave')
  return {}
}

await serve({ join, walk, place: placeBlock, dig, move, blocks, say, wait, seen, leave })
for (const one of bots.values()) one.quit()
process.exit() // clocks of bots may go on
