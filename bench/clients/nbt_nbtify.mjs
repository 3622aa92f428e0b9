// NBTify. Its values are JavaScript's own where these have one meaning (a
// number is a double, a bigint a long, typed arrays, plain objects), and its
// wrappers Int8, Int16, Int32 and Float32 otherwise. A list that was read
// remembers its element type under the key TAG_TYPE.

import * as nbtify from 'nbtify'
import { doubleBits, doubleFromBits, floatBits, floatFromBits, textFrom, textTo } from './nbt_value.mjs'

const typeNames = [
  'end', 'byte', 'short', 'int', 'long', 'float', 'double',
  'byteArray', 'string', 'list', 'compound', 'intArray', 'longArray'
]

// Everything is said, since the library tries what it is not told: other
// byte orders and compressions, and both forms.
const options = { endian: 'big', compression: null, bedrockLevel: false }

export async function read(bytes, named) {
  return nbtify.read(bytes, { ...options, rootName: named, strict: true })
}

export async function write(document) {
  return nbtify.write(document)
}

export function describe({ rootName, data }) {
  return { name: rootName === null ? undefined : textTo(rootName), root: describeTag(data) }
}

function describeTag(tag) {
  const type = typeNames[nbtify.getTagType(tag)]
  switch (type) {
    case 'byte':
    case 'short':
    case 'int': return { type, value: Number(tag) }
    case 'long': return { type, value: tag.toString() }
    case 'float': return { type, value: floatBits(tag.valueOf()) }
    case 'double': return { type, value: doubleBits(tag) }
    case 'string': return { type, value: textTo(tag) }
    case 'byteArray':
    case 'intArray': return { type, value: Array.from(tag) }
    case 'longArray': return { type, value: Array.from(tag, String) }
    case 'list': return { type, of: elementType(tag), value: Array.from(tag, describeTag) }
    case 'compound': return {
      type,
      value: Object.entries(tag).map(([name, value]) => ({ name: textTo(name), value: describeTag(value) }))
    }
    default: throw new Error(`NBTify returned no tag: ${typeof tag}`)
  }
}

// elementType returns what the library knows of a list: the type it read, or
// for a list from text that of the first element.
function elementType(list) {
  if (list[nbtify.TAG_TYPE] !== undefined) return typeNames[list[nbtify.TAG_TYPE]]
  return list.length === 0 ? 'end' : typeNames[nbtify.getTagType(list[0])]
}

export function build({ name, root }, named) {
  return new nbtify.NBTData(buildTag(root), { ...options, rootName: named ? textFrom(name) : null })
}

function buildTag({ type, of, value }) {
  switch (type) {
    case 'byte': return new nbtify.Int8(value)
    case 'short': return new nbtify.Int16(value)
    case 'int': return new nbtify.Int32(value)
    case 'long': return BigInt(value)
    case 'float': return new nbtify.Float32(floatFromBits(value))
    case 'double': return doubleFromBits(value)
    case 'string': return textFrom(value)
    case 'byteArray': return Int8Array.from(value)
    case 'intArray': return Int32Array.from(value)
    case 'longArray': return BigInt64Array.from(value, BigInt)
    case 'list': return Object.defineProperty(value.map(buildTag), nbtify.TAG_TYPE, { value: typeNames.indexOf(of) })
    // Object.fromEntries, unlike an assignment, makes a plain property of
    // any name.
    case 'compound': return Object.fromEntries(value.map(entry => [textFrom(entry.name), buildTag(entry.value)]))
    default: throw new Error(`NBTify has no tag of type ${type}`)
  }
}

export function parseText(text) {
  return describeTag(nbtify.parse(text))
}

export function printText(document) {
  return nbtify.stringify(document)
}
