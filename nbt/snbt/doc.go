// Package snbt is the text form of NBT, as commands and .snbt files have it,
// and a JSON form for other tools.
//
// # Reading
//
// [Parse] reads the grammar of 1.21.5 to 26.2, in which numbers may have
// underscores, hexadecimal and binary forms and signed or unsigned suffixes,
// strings have escapes, lists may mix types, and a trailing comma is allowed;
// and what older games took besides:
//
//   - a bare word that begins as a number does but is none, such as 12w34a or
//     1.2.3, is a string, as it was before 1.21.5. A word that is a number but
//     for a leading zero, an underscore at the end of its digits or its size is
//     an error: before 1.21.5 it silently became a string;
//   - true, false in arrays of bytes (and of the other types);
//   - indices before elements, [0:"a",1:"b"], as the game printed until 1.11;
//   - an empty name of a member, which the newest game refuses as text but
//     reads in files.
//
// Not read: strings without quotes that have other characters than letters,
// digits and _ . + - in them (until 1.11); the text "[5 bytes]" of a byte array
// (until 1.11); and white space behind a backslash, around the braces of
// \N{name}, or in the middle of a number other than between its parts.
//
// The names of \N{name} are those of Java 25, on which 26.1 runs: the ones of
// Unicode 16.0 in any case, with spaces around them; for a character without
// one, the block and the code point, as in \N{CJK Unified Ideographs 4E00} and
// \N{Hangul Syllables AC00}. Older games run on an older Java, and refuse names
// of newer characters. They are never printed.
//
// # Writing
//
// [Append] prints in one of three styles. Where the game has no text for a
// value, ours is one that it refuses, rather than one that it reads as
// something else:
//
//   - float("NaN"), float("Infinity"), float("-Infinity"), and float(0x7f800001)
//     with the bits of any other NaN; likewise double with a long;
//   - the escape \zHH for a byte of a string that is not valid modified UTF-8,
//     or not as Java writes it.
//
// What is lost is the element type of an empty list. Members with the same
// name are all printed (but see [Canonical]) and all read; the last one counts.
//
// # Lists of several types
//
// In files these are lists of compounds in which elements are wrapped as
// {"": element}. As text they stand without wrappers. Unlike the game, which
// unwraps whatever looks wrapped, this package does so only in lists whose
// elements then are of different types, so that every document survives.
//
// # JSON
//
// [AppendJSON] writes a form in which every type survives and [ParseJSON] reads
// it. A document looks like itself, with types where JSON has none:
//
//	compound    object
//	list        array; ["empty int"] if it is empty but has an element type
//	string      "text"
//	int         5
//	byte short  "5b" "5s"
//	long        "5L", a string since JavaScript would round it
//	float       "1.5f" "-0.0f" "NaNf" "-Infinityf" "NaN:7f800001f"
//	double      "1.5d" "-0.0d" "NaNd" "-Infinityd" "NaN:7ff8000000000001d"
//	byte array  ["B;",1,2]
//	int array   ["I;",1,2]
//	long array  ["L;","1","2"]
//
// A string that looks like one of these, or begins with ', has ' before it:
// "'5b" is the string 5b; a name only if it begins with ' or hex'. A string or
// name that is not valid modified UTF-8, or not as Java writes it, is given by
// its bytes, "hex'c0ff". A surrogate without its partner is an escape.
//
// Unlike {"type":"int","value":5} for every value (prismarine-nbt), this takes
// the room of the text form, and paths into it are those into the document,
// .sections[0].Y. It survives tools that take numbers for doubles. Members
// with the same name are all written and read; other tools keep the last one,
// which is the one that counts.
//
// [AppendPlainJSON] is for tools that only look.
//
// # Limits, errors, concurrency
//
// Depth, size and number of values are bounded by [nbt.Limits], memory by a
// small multiple of the text. Errors are [*SyntaxError] with line and column.
// All functions may be called at the same time.
//
// # Sources
//
// minecraft.wiki, NBT format, section SNBT format, and Java Edition 1.21.5; the
// tables in testdata name the source of each example.
package snbt
