package clients

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Numbering says what the numbers in the chunks of a version mean.
type Numbering struct {
	// States are the texts of the states, by number: the name with namespace,
	// and in brackets the properties ordered by name, as in
	// "minecraft:oak_log[axis=y]". Air is 0. They are what chunks of the
	// library have in them, which is not always what the game would: see
	// IntsFromZero.
	States []string
	// Biomes are the names with namespace, by number; "" for a number that
	// stands for none.
	Biomes []string

	// Misread are the texts that the game has for the states that IntsFromZero
	// concerns, with the numbers that the library reads for them: they may be
	// those of other states, or of none.
	Misread map[string]uint16

	version string
}

// maxStates bounds the states of a version, so that a number fits in 16 bits.
const maxStates = 1 << 16

// wireNumbering is what minecraft-data has of a version.
type wireNumbering struct {
	Blocks []wireBlock `json:"blocks"`
	Biomes []struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	} `json:"biomes"`
}

type wireBlock struct {
	Name       string         `json:"name"`
	First      int            `json:"first"`
	Properties []wireProperty `json:"properties"`
}

type wireProperty struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"`
	Count  int      `json:"count"`
	Values []string `json:"values"`
}

func (w wireNumbering) numbering(version string) (*Numbering, error) {
	n := &Numbering{version: version, Misread: map[string]uint16{}}
	for _, block := range w.Blocks {
		if err := n.block(block); err != nil {
			return nil, fmt.Errorf("open %s: %w: %s: %w", version, ErrNoAnswer, block.Name, err)
		}
	}
	if i := slices.Index(n.States, ""); i >= 0 {
		return nil, fmt.Errorf("open %s: %w: no state %d", version, ErrNoAnswer, i)
	}
	for _, biome := range w.Biomes {
		if biome.ID < 0 || biome.ID >= maxStates {
			return nil, fmt.Errorf("open %s: %w: biome %d", version, ErrNoAnswer, biome.ID)
		}
		n.Biomes = slices.Grow(n.Biomes, max(0, biome.ID+1-len(n.Biomes)))
		n.Biomes = n.Biomes[:max(len(n.Biomes), biome.ID+1)]
		n.Biomes[biome.ID] = "minecraft:" + biome.Name
	}
	return n, nil
}

// block adds the states of a block: in a row, the first property slowest.
func (n *Numbering) block(b wireBlock) error {
	count, misread := 1, false
	onDisk := wireBlock{Name: b.Name}
	for i, p := range b.Properties {
		p.Values = p.texts()
		if p.Count < 1 || len(p.Values) != p.Count {
			return fmt.Errorf("property %s has %d values of %d", p.Name, len(p.Values), p.Count)
		}
		b.Properties[i] = p
		if p.number() && p.Values[0] != "0" && n.HasLevel() {
			misread = true
			p.Values = fromZero(p.Count)
		}
		onDisk.Properties = append(onDisk.Properties, p)
		if count *= p.Count; count > maxStates {
			return errors.New("too many states")
		}
	}
	if b.First < 0 || b.First+count > maxStates {
		return fmt.Errorf("states from %d", b.First)
	}
	if missing := b.First + count - len(n.States); missing > 0 {
		n.States = append(n.States, make([]string, missing)...)
	}
	for i := range count {
		if n.States[b.First+i] != "" {
			return fmt.Errorf("its state %d is %s", b.First+i, n.States[b.First+i])
		}
		n.States[b.First+i], _ = onDisk.state(i)
		if misread {
			text, read := b.state(i)
			n.Misread[text] = uint16(read)
		}
	}
	return nil
}

// state returns the text of a block's state by its place in the row, and the
// number that comes out when numbers among its values count as themselves.
func (b wireBlock) state(place int) (text string, number int) {
	pairs := make([][2]string, len(b.Properties))
	number = b.First
	stride := 1
	for i, p := range slices.Backward(b.Properties) {
		at := place % p.Count
		pairs[i] = [2]string{p.Name, p.Values[at]}
		if p.number() {
			at, _ = strconv.Atoi(p.Values[at])
		}
		number += at * stride
		stride *= p.Count
		place /= p.Count
	}
	return StateText("minecraft:"+b.Name, pairs), number
}

// StateText returns the text of a state as Numbering has it, of a name with
// namespace and of properties, each name and value. It sorts these.
func StateText(name string, properties [][2]string) string {
	if len(properties) == 0 {
		return name
	}
	slices.SortFunc(properties, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	parts := make([]string, len(properties))
	for i, p := range properties {
		parts[i] = p[0] + "=" + p[1]
	}
	return name + "[" + strings.Join(parts, ",") + "]"
}

// texts returns a property's values in their order.
func (p wireProperty) texts() []string {
	switch {
	case p.Values != nil:
		return p.Values
	case p.Type == "bool":
		return []string{"true", "false"}
	case p.Type == "int" && p.Count < maxStates:
		return fromZero(p.Count)
	}
	return nil
}

func (p wireProperty) number() bool { return p.Type == "int" }

func fromZero(count int) []string {
	values := make([]string, max(0, count))
	for i := range values {
		values[i] = strconv.Itoa(i)
	}
	return values
}
