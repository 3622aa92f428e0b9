package play

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/server/item"
	"strata/server/protocol"
	"strata/server/world"
)

const (
	signLines = 4
	// signChars is how many characters of a line are taken; clients let in fewer, by
	// their width.
	signChars = 384
	// signReach is how far from its middle who writes on a sign may be.
	signReach = 8
)

// The sides of a sign, as its block entity has them.
const (
	frontText = "front_text"
	backText  = "back_text"
)

// openSign has a player write on the side of a sign that it sees, or does what the
// item in hand does to it.
func (g *Game) openSign(p *Player, pos chunk.BlockPos, slot int) {
	s, _ := p.in.Block(pos)
	members := g.sign(p, pos)
	side := frontText
	if !facesFront(s, pos, p.x, p.z) {
		side = backText
	}
	if waxed(members) {
		return
	}
	if g.signItem(p, pos, slot, side, members) {
		return
	}
	g.editSign(p, pos, side)
}

// editSign opens the editor of a client, one at a time for each sign. Who has gone
// away or died with its editor open is in nobody's way.
func (g *Game) editSign(p *Player, pos chunk.BlockPos, side string) {
	for _, other := range g.players {
		if other != p && other.in == p.in && other.writes == pos && other.writing && other.mayWrite() {
			return
		}
	}
	p.writes, p.writing = pos, true
	g.resend(p, pos)
	p.send(&protocol.OpenSignEditor{Pos: protocol.BlockPos(pos), Front: side == frontText})
}

// sign returns the members of a sign's block entity.
func (g *Game) sign(p *Player, pos chunk.BlockPos) nbt.Compound {
	e, found := p.in.BlockEntity(pos)
	if !found {
		return nil
	}
	return world.Members(e)
}

func waxed(members nbt.Compound) bool {
	v, _ := members.Get("is_waxed")
	n, _ := v.(int8)
	return n != 0
}

// dyeSuffix ends the names of the items that give a text their color.
const dyeSuffix = "_dye"

// signItem does what an item does to a sign: wax it, color it or have it glow. It
// reports whether the item is for that.
func (g *Game) signItem(p *Player, pos chunk.BlockPos, slot int, side string, members nbt.Compound) bool {
	name := strings.TrimPrefix(p.items.Get(slot).Name(), "minecraft:")
	text := sideOf(members, side)
	switch {
	case name == "honeycomb":
		members = withMember(members, "is_waxed", int8(1))
	case strings.HasSuffix(name, dyeSuffix):
		color := strings.TrimSuffix(name, dyeSuffix)
		if is, _ := text.Get("color"); is == color {
			return true
		}
		members = withMember(members, side, withMember(text, "color", color))
	case name == "glow_ink_sac" || name == "ink_sac":
		glows := int8(0)
		if name == "glow_ink_sac" {
			glows = 1
		}
		if is, _ := text.Get("has_glowing_text"); is == glows || is == nil && glows == 0 {
			return true
		}
		members = withMember(members, side, withMember(text, "has_glowing_text", glows))
	default:
		return false
	}
	if p.in.SetBlockEntity(pos, members) && p.mode != protocol.GameModeCreative {
		g.use(p, slot, "")
	}
	return true
}

// sideOf is the text of a side of a sign, with four lines.
func sideOf(members nbt.Compound, side string) nbt.Compound {
	v, _ := members.Get(side)
	if text, ok := v.(nbt.Compound); ok {
		return append(nbt.Compound(nil), text...)
	}
	lines := nbt.List{Elem: nbt.TypeString}
	for range signLines {
		lines.Items = append(lines.Items, "")
	}
	return nbt.Compound{{Name: "messages", Value: lines}, {Name: "color", Value: "black"}, {Name: "has_glowing_text", Value: int8(0)}}
}

func withMember(c nbt.Compound, name string, value any) nbt.Compound {
	for i := range c {
		if c[i].Name == name {
			c[i].Value = value
			return c
		}
	}
	return append(c, nbt.Member{Name: name, Value: value})
}

// writeSign is what a player has written.
func (g *Game) writeSign(p *Player, u *protocol.SignUpdate) {
	pos := chunk.BlockPos(u.Pos)
	if !p.writing || p.writes != pos {
		return
	}
	p.writing = false
	s, loaded := p.in.Block(pos)
	members := g.sign(p, pos)
	if !loaded || !isSign(s) || waxed(members) || !p.mayWrite() {
		return
	}
	side := frontText
	if !u.Front {
		side = backText
	}
	lines := nbt.List{Elem: nbt.TypeString}
	for _, line := range []string{u.Text1, u.Text2, u.Text3, u.Text4} {
		lines.Items = append(lines.Items, cleanLine(line))
	}
	text := withMember(sideOf(members, side), "messages", lines)
	if !p.in.SetBlockEntity(pos, withMember(members, side, text)) {
		g.options.Log.Error("a sign cannot be kept", "x", pos.X, "y", pos.Y, "z", pos.Z)
	}
}

// mayWrite reports whether a player is where it can write on its sign.
func (p *Player) mayWrite() bool {
	dx, dy, dz := float64(p.writes.X)+0.5-p.x, float64(p.writes.Y)+0.5-p.y, float64(p.writes.Z)+0.5-p.z
	return !p.dead() && dx*dx+dy*dy+dz*dz <= signReach*signReach
}

// cleanLine is a line without formatting and control characters.
func cleanLine(line string) string {
	if utf8.RuneCountInString(line) > signChars {
		line = string([]rune(line)[:signChars])
	}
	var out strings.Builder
	skip := false
	for _, r := range line {
		switch {
		case skip:
			skip = false
		case r == '§': // and what follows it
			skip = true
		case !unicode.IsControl(r):
			out.WriteRune(r)
		}
	}
	return out.String()
}

func isSign(s block.State) bool { return strings.HasSuffix(s.Block().Name(), "_sign") }

// facesFront reports whether somebody at x, z sees the front of a sign.
func facesFront(s block.State, pos chunk.BlockPos, x, z float64) bool {
	fx, fz := frontOf(s)
	return fx*(x-float64(pos.X)-0.5)+fz*(z-float64(pos.Z)-0.5) > 0
}

// frontOf is the direction that the front of a sign looks in: by its facing, or its
// rotation in sixteenths of a turn from the south on, clockwise from above.
func frontOf(s block.State) (x, z float64) {
	switch s.Property("facing") {
	case "north":
		return 0, -1
	case "south":
		return 0, 1
	case "west":
		return -1, 0
	case "east":
		return 1, 0
	}
	var n float64
	for _, c := range s.Property("rotation") {
		n = n*10 + float64(c-'0')
	}
	turn := n * math.Pi / 8
	return -math.Sin(turn), math.Cos(turn)
}

// placedSign opens the editor for who has placed a sign without a text of its own.
func (g *Game) placedSign(p *Player, pos chunk.BlockPos, stack item.Stack) {
	if len(world.Unpacked(stack)) == 0 {
		g.editSign(p, pos, frontText)
	}
}
