// Package featuretest decorates chunks of the game's own dimensions for the
// tests of features, and compares them with real ones. Only tests import it.
//
// Its nouns:
//
//   - a World decorates chunks of one dimension with the features it is given;
//   - an Order is which of the chunks near each other are decorated first. Real
//     chunks were decorated in an order that is not known: what differs between
//     orders is masked;
//   - a Score counts how real chunks and ours agree, by pairs of blocks.
//
// Nothing here is safe for concurrent use.
package featuretest
