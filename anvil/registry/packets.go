package registry

// State is a state of a connection.
type State uint8

// The states, in the order a connection can pass through them.
const (
	Handshake State = iota
	Status
	Login
	Configuration
	Play
	stateCount
)

// Direction is who a packet goes to.
type Direction uint8

// The directions.
const (
	Clientbound Direction = iota
	Serverbound
	directionCount
)

var (
	stateNames     = [stateCount]string{"handshake", "status", "login", "configuration", "play"}
	directionNames = [directionCount]string{"clientbound", "serverbound"}
)

// String returns the state's name in lower case.
func (s State) String() string {
	if s < stateCount {
		return stateNames[s]
	}
	return "unknown state"
}

// String returns "clientbound" or "serverbound".
func (d Direction) String() string {
	if d < directionCount {
		return directionNames[d]
	}
	return "unknown direction"
}

// Packets is the names and numbers of the packets of one protocol. It is
// immutable; nil has none.
type Packets struct {
	protocol int
	names    [stateCount][directionCount][]string
	ids      [stateCount][directionCount]map[string]int32
}

// packetTables are the protocols whose packets are known: those of Versions,
// and 777 (26.3), of which nothing else is here.
var packetTables = map[int]func() *Packets{
	775: lazyPackets(775, "775"),
	776: lazyPackets(776, "776"),
	777: lazyPackets(777, "777"),
}

func lazyPackets(protocol int, section string) func() *Packets {
	return lazy(filePackets, section, func(data []byte) (*Packets, error) {
		return decodePackets(data, protocol)
	})
}

// PacketsOf returns the packets of a protocol version, or nil if they are not
// known. Known are 775, 776 and 777.
func PacketsOf(protocol int) *Packets {
	if get := packetTables[protocol]; get != nil {
		return get()
	}
	return nil
}

// Protocol returns the protocol version.
func (p *Packets) Protocol() int {
	if p == nil {
		return 0
	}
	return p.protocol
}

// ID returns the number of a packet by its name, such as "registry_data"
// (without namespace), and false if there is none.
func (p *Packets) ID(s State, d Direction, name string) (int32, bool) {
	if p == nil || s >= stateCount || d >= directionCount {
		return 0, false
	}
	id, ok := p.ids[s][d][name]
	return id, ok
}

// Name returns the name of a packet by its number.
func (p *Packets) Name(s State, d Direction, id int32) (string, bool) {
	if id < 0 || int(id) >= p.Len(s, d) {
		return "", false
	}
	return p.names[s][d][id], true
}

// Len returns how many packets a state has in a direction; their numbers are 0
// to Len-1.
func (p *Packets) Len(s State, d Direction) int {
	if p == nil || s >= stateCount || d >= directionCount {
		return 0
	}
	return len(p.names[s][d])
}

// decodePackets reads n states: name, m directions: name, k packet names by
// number.
func decodePackets(data []byte, protocol int) (*Packets, error) {
	d := newTextDecoder(data)
	p := &Packets{protocol: protocol}
	for range d.count() {
		s := indexOf(d, stateNames[:])
		for range d.count() {
			dir := indexOf(d, directionNames[:])
			names := make([]string, d.count())
			ids := make(map[string]int32, len(names))
			for i := range names {
				names[i] = d.string()
				ids[names[i]] = int32(i)
			}
			p.names[s][dir], p.ids[s][dir] = names, ids
		}
	}
	return p, d.end()
}

// indexOf reads a text that is one of list.
func indexOf(d *decoder, list []string) int {
	text := d.string()
	for i, x := range list {
		if x == text {
			return i
		}
	}
	d.fail("unexpected %q", text)
	return 0
}
