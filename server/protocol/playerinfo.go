package protocol

// PlayerInfoActions says which fields of PlayerInfo are sent.
type PlayerInfoActions uint8

// The fields of PlayerInfo, in the order in which they are sent.
const (
	AddPlayer PlayerInfoActions = 1 << iota
	InitializeChat
	UpdateGameMode
	UpdateListed
	UpdateLatency
	UpdateDisplayName
	UpdateListOrder
	UpdateHat
)

// PlayerInfoUpdate adds players to the client's list, or changes what it
// knows of them.
type PlayerInfoUpdate struct {
	Actions PlayerInfoActions
	Players []PlayerInfo
}

// PlayerInfo is a player in that list. All but the UUID is sent only with the
// action that is named beside it.
type PlayerInfo struct {
	UUID        UUID
	Name        string                // AddPlayer
	Properties  []ProfileProperty     // AddPlayer
	ChatSession Optional[ChatSession] // InitializeChat
	GameMode    int32                 // UpdateGameMode
	Listed      bool                  // UpdateListed
	Latency     int32                 // UpdateLatency, in ms
	DisplayName Optional[NBT]         // UpdateDisplayName
	ListOrder   int32                 // UpdateListOrder: higher is further up
	Hat         bool                  // UpdateHat
}

// ChatSession is the key with which a player signs messages.
type ChatSession struct {
	ID           UUID
	ExpiresAt    int64 // in ms since 1970
	PublicKey    []byte
	KeySignature []byte
}

// PacketName returns "player_info_update".
func (*PlayerInfoUpdate) PacketName() string { return "player_info_update" }

func (v *PlayerInfoUpdate) wire(c *coder, name string) {
	c.push(name)
	u8(&v.Actions, c, "actions")
	list(&v.Players, c, "players", func(p *PlayerInfo, c *coder, _ string) { p.wire(c, v.Actions) })
	c.pop()
}

func (v *PlayerInfo) wire(c *coder, actions PlayerInfoActions) {
	v.UUID.wire(c, "uuid")
	if actions&AddPlayer != 0 {
		textMax(&v.Name, c, "name", maxName)
		listMax(&v.Properties, c, "properties", maxProperties, (*ProfileProperty).wire)
	}
	if actions&InitializeChat != 0 {
		optional(&v.ChatSession, c, "chat_session", (*ChatSession).wire)
	}
	if actions&UpdateGameMode != 0 {
		varint(&v.GameMode, c, "game_mode")
	}
	if actions&UpdateListed != 0 {
		boolean(&v.Listed, c, "listed")
	}
	if actions&UpdateLatency != 0 {
		varint(&v.Latency, c, "latency")
	}
	if actions&UpdateDisplayName != 0 {
		optional(&v.DisplayName, c, "display_name", document)
	}
	if actions&UpdateListOrder != 0 {
		varint(&v.ListOrder, c, "list_order")
	}
	if actions&UpdateHat != 0 {
		boolean(&v.Hat, c, "hat")
	}
}

const (
	// maxName is the longest player name, maxProperties how many properties a
	// profile may have, maxKey the largest key and maxKeySignature the largest
	// signature of one (the game's own).
	maxName         = 16
	maxProperties   = 16
	maxKey          = 512
	maxKeySignature = 4096
)

func (v *ChatSession) wire(c *coder, name string) {
	c.push(name)
	v.ID.wire(c, "id")
	i64(&v.ExpiresAt, c, "expires_at")
	blobMax(&v.PublicKey, c, "public_key", maxKey)
	blobMax(&v.KeySignature, c, "key_signature", maxKeySignature)
	c.pop()
}
