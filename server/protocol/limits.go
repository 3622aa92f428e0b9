package protocol

// Limits of what is read and written. Those of the game are enforced by its
// client too, so that a packet over them must not be sent.
const (
	// MaxFrame is the largest frame: a length of three bytes (the game's own).
	MaxFrame = 1<<21 - 1
	// MaxInflated is the largest packet that a compressed frame may declare
	// (the game's own).
	MaxInflated = 8 << 20
	// MaxUnauthenticated bounds a frame before login is over.
	MaxUnauthenticated = 8192

	// MaxString is the longest text in UTF-16 units, unless its field has a
	// limit of its own (the game's own); in UTF-8 it has at most three bytes
	// for each.
	MaxString = 32767
	// MaxList is the longest list, unless its field has a limit of its own.
	MaxList = 1 << 16
	// MaxDepth is how deep values nest, packets and lists included.
	MaxDepth = 64
	// MaxComponents is how many components an item's patch may add or remove.
	MaxComponents = 256
	// MaxMetadata is how many entries the metadata of an entity may have: one
	// for each index but the end mark.
	MaxMetadata = 255
	// MaxEquipment is how many slots one set_equipment packet may name: one
	// for each value of the seven bits that a slot has.
	MaxEquipment = 128
	// MaxCookie is the largest cookie (the game's own).
	MaxCookie = 5120
	// MaxServerPayload is the largest payload that a client sends on a plugin
	// channel (the game's own), MaxClientPayload the largest one to a client
	// and in the questions and answers of the login state.
	MaxServerPayload = 32767
	MaxClientPayload = 1 << 20
	// MaxChat is the longest chat message (the game's own).
	MaxChat = 256

	// MaxNBTBytes and MaxNBTDepth bound one NBT document that is read: the
	// game's network budget.
	MaxNBTBytes = 2 << 20
	MaxNBTDepth = 512
)

// listStart is how many elements a list that is being read gets room for at
// first; it grows with what was read, not with what the packet claims.
const listStart = 64
