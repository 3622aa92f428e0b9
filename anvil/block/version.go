package block

// Info tells of the table of one game version without decoding it.
type Info struct {
	Name             string // of the newest game version that it holds for, such as "26.1.2"
	Protocol         int
	FirstDataVersion int // of the oldest game version that it holds for
	DataVersion      int // of the newest
	Blocks           int
	States           int
	Native           bool // states in memory have the numbers of this version
}

// Tables returns what this binary holds, newest first. It decodes nothing.
func Tables() []Info { return append([]Info(nil), infos...) }

// Version is the numbering of blocks and states of one game version, as its
// protocol uses it.
type Version struct {
	Info
	toWire      [maxStates]uint16
	fromWire    []State
	toBlock     []uint16
	fromBlock   []ID
	exactStates []uint64 // a bit for each native state
}

// Versions returns the numberings, newest first.
func Versions() []*Version { return append([]*Version(nil), get().versions...) }

// ForProtocol returns the numbering of a protocol version, or nil.
func ForProtocol(protocol int) *Version {
	for _, v := range get().versions {
		if v.Protocol == protocol {
			return v
		}
	}
	return nil
}

// ID returns the version's number of a state. A state that the version lacks
// gives that of a block which looks alike and has the same collision shape,
// and one that is not native gives stone; HasState tells them apart.
func (v *Version) ID(s State) uint16 { return v.toWire[s] }

// HasState reports whether the version has the very state.
func (v *Version) HasState(s State) bool {
	return s.Native() && v.exactStates[s>>6]&(1<<(s&63)) != 0
}

// State returns the native state with that number in the version. It reports
// false if the version has no such number or the native table lacks the
// state.
func (v *Version) State(id uint16) (State, bool) {
	if int(id) >= len(v.fromWire) || v.fromWire[id] == missingState {
		return 0, false
	}
	return v.fromWire[id], true
}

// BlockID returns the version's number of a block: of its substitute if the
// version lacks the block, of stone for [Unknown].
func (v *Version) BlockID(id ID) uint16 {
	if int(id) >= len(v.toBlock) {
		return v.toBlock[Stone]
	}
	return v.toBlock[id]
}

// Block returns the native block with that number in the version. It reports
// false if the version has no such number or the native table lacks the
// block.
func (v *Version) Block(id uint16) (ID, bool) {
	if int(id) >= len(v.fromBlock) || v.fromBlock[id] == Unknown {
		return Unknown, false
	}
	return v.fromBlock[id], true
}

// missingState marks numbers of a version that have no native state. It is
// not native itself.
const missingState State = maxStates - 1

// definition is a block as a version has it. Versions share equal ones.
type definition struct {
	name    string // without namespace
	props   []Property
	initial uint16 // place of the default state among the block's
}

// states returns how many there are; over maxStates does not tell how many.
func (d *definition) states() int {
	n := 1
	for i := range d.props {
		if n *= len(d.props[i].Values); n > maxStates {
			break
		}
	}
	return n
}

// newVersion works out the numbering of a version: its blocks in order, and
// for native blocks that it lacks the block shown instead.
func newVersion(t *table, info Info, blocks []definition, substitutes map[string]string) (*Version, error) {
	v := &Version{
		Info:        info,
		fromWire:    make([]State, info.States),
		toBlock:     make([]uint16, len(t.blocks)),
		fromBlock:   make([]ID, len(blocks)),
		exactStates: make([]uint64, (StateCount+63)/64),
	}
	places := make(map[string]wireBlock, len(blocks))
	if len(blocks) != info.Blocks {
		return nil, formatError("version %s has %d blocks", info.Name, len(blocks))
	}
	first := 0
	for i := range blocks {
		w := wireBlock{number: uint16(i), first: uint16(first), definition: &blocks[i]}
		places[blocks[i].name] = w
		if first += blocks[i].states(); first > info.States {
			return nil, formatError("version %s has over %d states", info.Name, info.States)
		}
		v.addBlock(t, w)
	}
	if first != info.States {
		return nil, formatError("version %s has %d states", info.Name, first)
	}
	return v, v.addSubstitutes(t, places, substitutes)
}

// wireBlock is a block of a version with its first state there.
type wireBlock struct {
	*definition
	number, first uint16
}

// addBlock enters a block and its states as far as the native table has them.
func (v *Version) addBlock(t *table, w wireBlock) {
	b, id, ok := t.findString(w.name)
	v.fromBlock[w.number] = id
	if ok {
		v.toBlock[id] = w.number
	}
	same := ok && sameProperties(w.props, b.props)
	for i := range w.states() {
		wire := w.first + uint16(i)
		v.fromWire[wire] = missingState
		if !ok {
			continue
		}
		s, exact := b.first+State(i), same
		if !same {
			s, exact = translate(w.definition, i, b)
		}
		if exact {
			v.fromWire[wire] = s
			v.toWire[s] = wire
			v.exactStates[s>>6] |= 1 << (s & 63)
		}
	}
}

// sameProperties reports whether the two are one list of the table, as those
// of a block that is the same in two versions are.
func sameProperties(a, b []Property) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// translate returns the native state of block b with the properties of the
// i-th state of d, if b has the very same properties with those values.
func translate(d *definition, i int, b *blockInfo) (State, bool) {
	if len(d.props) != len(b.props) {
		return 0, false
	}
	s := b.first
	for at := len(d.props) - 1; at >= 0; at-- {
		p := &d.props[at]
		value := p.Values[i%len(p.Values)]
		i /= len(p.Values)
		place := b.props[at].Index(value)
		if b.props[at].Name != p.Name || place < 0 {
			return 0, false
		}
		s += State(place * int(b.strides[at]))
	}
	return s, true
}

// addSubstitutes gives every native state that the version lacks a number: of
// the block's substitute, with the properties that both have.
func (v *Version) addSubstitutes(t *table, places map[string]wireBlock, substitutes map[string]string) error {
	for id := range t.blocks {
		b := &t.blocks[id]
		name := b.name[len(namespace):]
		w, has := places[name]
		if !has {
			other, ok := substitutes[name]
			if w, has = places[other]; !ok || !has {
				return formatError("version %s has neither %s nor a substitute", v.Name, name)
			}
			v.toBlock[id] = w.number
		}
		for s := b.first; s < b.first+State(b.count); s++ {
			if !v.HasState(s) {
				v.toWire[s] = w.first + w.closest(b, s)
			}
		}
	}
	stone, ok := places["stone"]
	if !ok {
		return formatError("version %s has no stone", v.Name)
	}
	for s := StateCount; s < maxStates; s++ {
		v.toWire[s] = stone.first
	}
	return nil
}

// closest returns the place of the state of d that shares the most with s:
// its values of properties that both have, and d's defaults for the rest.
func (d *definition) closest(b *blockInfo, s State) uint16 {
	place, stride, initial := 0, 1, int(d.initial)
	for at := len(d.props) - 1; at >= 0; at-- {
		p := &d.props[at]
		value := initial % len(p.Values)
		initial /= len(p.Values)
		for i := range b.props {
			q := &b.props[i]
			if q.Name != p.Name {
				continue
			}
			own := q.Values[int(s-b.first)/int(b.strides[i])%len(q.Values)]
			if found := p.Index(own); found >= 0 {
				value = found
			}
		}
		place += value * stride
		stride *= len(p.Values)
	}
	return uint16(place)
}
