// The judge of NBT: prismarine-nbt and NBTify read and write documents, and
// say in one language what they read. judge.mjs describes the conversation;
// value.go has the language from the other side.
//
//   decode      {lib, form, data}         -> {document}
//   encode      {lib, form, document}     -> {data}
//   reencode    {lib, form, data}         -> {data}
//   snbt-parse  {text}                    -> {value}      NBTify alone
//   snbt-print  {form, data}              -> {text}       NBTify alone
//
// data is base64 of big-endian NBT. form is "file" (type, name, payload) or
// "network" (type, payload, as sent since 1.20.2). document is {name, root},
// where the network form has no name.

import { serve } from './judge.mjs'
import * as nbtify from './nbt_nbtify.mjs'
import * as prismarine from './nbt_prismarine.mjs'
import { textFrom, textTo } from './nbt_value.mjs'

const libraries = { nbtify, prismarine }

function library(request) {
  if (!Object.hasOwn(libraries, request.lib)) throw new Error(`no library ${request.lib}`)
  return libraries[request.lib]
}

function isFile(request) {
  if (request.form !== 'file' && request.form !== 'network') throw new Error(`no form ${request.form}`)
  return request.form === 'file'
}

const bytesFrom = base64 => Buffer.from(base64, 'base64')
const bytesTo = bytes => Buffer.from(bytes).toString('base64')

await serve({
  decode: async request => {
    const lib = library(request)
    return { document: lib.describe(await lib.read(bytesFrom(request.data), isFile(request))) }
  },
  encode: async request => {
    const lib = library(request)
    const named = isFile(request)
    return { data: bytesTo(await lib.write(lib.build(request.document, named), named)) }
  },
  reencode: async request => {
    const lib = library(request)
    const named = isFile(request)
    return { data: bytesTo(await lib.write(await lib.read(bytesFrom(request.data), named), named)) }
  },
  'snbt-parse': request => ({ value: nbtify.parseText(textFrom(request.text)) }),
  'snbt-print': async request => {
    const document = await nbtify.read(bytesFrom(request.data), isFile(request))
    return { text: textTo(nbtify.printText(document)) }
  }
})
