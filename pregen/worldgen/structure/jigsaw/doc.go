// Package jigsaw puts structures together of templates from pools: villages,
// bastions, ancient cities, trial chambers, trail ruins and outposts, equal
// piece for piece to those of Java Edition 26.2.
//
// # Nouns
//
//   - a pool is an entry of worldgen/template_pool: elements by weight, and a
//     fallback, which ends what may not go on.
//   - an element is a template, a feature, several elements in one place, or
//     nothing. Its projection is rigid, or it follows the ground column by
//     column (terrain_matching).
//   - a connector is a jigsaw block of a template: it takes the connectors of
//     other templates that have the name it asks for and point towards it.
//   - a piece is an element at its place; a junction is where two join, which
//     the terrain around them follows.
//   - a space is where pieces may still be: around the structure within its
//     distance, and by itself within each piece.
//   - a binding gives pools another name in one structure (pool_aliases).
//
// # How it goes
//
// The first piece is drawn from the start pool and set on the ground. Then each
// piece's connectors are gone through in an order that is drawn, those with a
// higher selection priority first; for each the elements of its pool are tried
// in an order that is drawn, turned in four ways that are drawn, until one
// fits. Pieces wait for their turn by placement priority. With the expansion
// hack a piece keeps free what those need that will stand on it.
//
// The shapes of templates are enough for all of this, so layouts need no game
// files; building does.
//
// # Sources
//
// minecraft.wiki (Jigsaw Block, Template pool, Structure set) and public
// descriptions of the game; every structure of these kinds that the real worlds
// hold is compared piece by piece.
package jigsaw
