// The leaves of the language in which libraries describe values. JSON holds
// whole numbers up to 53 bits, no NaN and no -0, and text without lone
// surrogates; these are what it takes to say the rest exactly.

// textTo says a string: itself, or its UTF-16 units in hexadecimal when a
// surrogate in it has no partner, since readers of JSON replace those.
export function textTo(string) {
  if (string.isWellFormed()) return string
  let hex = ''
  for (let i = 0; i < string.length; i++) hex += string.charCodeAt(i).toString(16).padStart(4, '0')
  return { utf16: hex }
}

export function textFrom(text) {
  if (typeof text === 'string') return text
  const units = text.utf16.match(/[0-9a-f]{4}/g) ?? []
  return units.map(unit => String.fromCharCode(parseInt(unit, 16))).join('')
}

const scratch = new DataView(new ArrayBuffer(8))

// floatBits says a number as the bits of a 32-bit float, in hexadecimal.
export function floatBits(number) {
  scratch.setFloat32(0, number)
  return scratch.getUint32(0).toString(16).padStart(8, '0')
}

export function floatFromBits(hex) {
  scratch.setUint32(0, parseInt(hex, 16))
  return scratch.getFloat32(0)
}

// doubleBits says a number as the bits of a 64-bit float, in hexadecimal.
export function doubleBits(number) {
  scratch.setFloat64(0, number)
  return scratch.getBigUint64(0).toString(16).padStart(16, '0')
}

export function doubleFromBits(hex) {
  scratch.setBigUint64(0, BigInt('0x' + hex))
  return scratch.getFloat64(0)
}
