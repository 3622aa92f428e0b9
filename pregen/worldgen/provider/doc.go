// Package provider holds the random numbers that world generation documents
// describe: integers, floats, heights and the anchors that heights are told
// from.
//
// Its nouns:
//
//   - Float is a float provider: constant, uniform, clamped_normal or trapezoid;
//   - Int is an integer provider: constant, uniform, biased_to_bottom, clamped,
//     clamped_normal, weighted_list or trapezoid;
//   - Height is a height provider: constant, uniform, biased_to_bottom,
//     very_biased_to_bottom, trapezoid or weighted_list;
//   - Anchor is a vertical anchor: absolute, above_bottom or below_top;
//   - Span is the height range of a generator, which anchors refer to;
//   - Value is a part of a JSON document that knows its place in it.
//
// Parsers check everything: types, ranges, and that sampling cannot fail. What
// they refuse is a *ValueError that names document, place and problem. All
// types are values that do not change, and may be used concurrently; sampling
// does not allocate.
//
// # Limits
//
// A document has at most MaxDocument bytes. Providers that hold providers
// (weighted_list) nest up to 16 deep and have up to 1,024 entries in all.
// Floats must be finite in single precision. Some values that the game would
// accept, and then fail to sample, are refused: inner above 1<<20, negative
// plateaus.
//
// Sources of the facts: the 26.2 data, and public descriptions of the data
// pack format. What the game's own data uses (uniform and trapezoid floats,
// uniform heights) is tested against real caves, in package carve, and integers
// against real plants and ores, in package feature; other types
// are from description.
package provider
