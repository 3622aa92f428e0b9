// prismarine-nbt. Its values carry their types: {type, value}, a long is a
// pair of 32-bit halves, and the elements of a list stand bare beside their
// common type.

import nbt from 'prismarine-nbt'
import { doubleBits, doubleFromBits, floatBits, floatFromBits, textFrom, textTo } from './nbt_value.mjs'

// The types of whole documents in the library's own schema.
const schema = named => named ? 'nbt' : 'anonymousNbt'

export function read(bytes, named) {
  // Without this the library refuses arrays of more than 2^24-1 elements.
  nbt.proto.setVariable('noArraySizeCheck', true)
  const { data, metadata } = nbt.proto.parsePacketBuffer(schema(named), bytes)
  // It says how far it read, and leaves it to its caller to mind.
  if (metadata.size !== bytes.length) {
    throw new Error(`${bytes.length - metadata.size} bytes after the document`)
  }
  return data
}

export function write(document, named) {
  return nbt.proto.createPacketBuffer(schema(named), document)
}

export function describe({ name, type, value }) {
  return { name: name === undefined ? undefined : textTo(name), root: describeTag(type, value) }
}

function describeTag(type, value) {
  switch (type) {
    case 'end': return { type }
    case 'long': return { type, value: longTo(value) }
    case 'float': return { type, value: floatBits(value) }
    case 'double': return { type, value: doubleBits(value) }
    case 'string': return { type, value: textTo(value) }
    case 'longArray': return { type, value: value.map(longTo) }
    case 'list': return { type, of: value.type, value: value.value.map(item => describeTag(value.type, item)) }
    case 'compound': return {
      type,
      value: Object.keys(value).map(name => ({ name: textTo(name), value: describeTag(value[name].type, value[name].value) }))
    }
    default: return { type, value }
  }
}

const longTo = ([high, low]) => (BigInt(high) << 32n | BigInt.asUintN(32, BigInt(low))).toString()

export function build({ name, root }, named) {
  const tag = { type: root.type, value: buildTag(root) }
  return named ? { ...tag, name: textFrom(name) } : tag
}

function buildTag({ type, of, value }) {
  switch (type) {
    case 'long': return longFrom(value)
    case 'float': return floatFromBits(value)
    case 'double': return doubleFromBits(value)
    case 'string': return textFrom(value)
    case 'longArray': return value.map(longFrom)
    case 'list': return { type: of, value: value.map(buildTag) }
    // Object.fromEntries, unlike an assignment, makes a plain property of
    // any name.
    case 'compound': return Object.fromEntries(value.map(entry =>
      [textFrom(entry.name), { type: entry.value.type, value: buildTag(entry.value) }]))
    default: return value
  }
}

function longFrom(text) {
  const bits = BigInt(text)
  return [Number(BigInt.asIntN(32, bits >> 32n)), Number(BigInt.asIntN(32, bits))]
}
