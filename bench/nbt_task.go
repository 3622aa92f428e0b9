package bench

import (
	"errors"

	"strata/nbt"
)

// nbtTask does one thing with the chunks of a run, one after the other.
type nbtTask interface {
	// prepare makes what do works on. It comes before each pass, outside of
	// its time.
	prepare() error
	// do does it with chunk i, and nothing else. It returns a number that
	// depends on what came out.
	do(i int) (int, error)
	// verify checks what do has just made of chunk i.
	verify(i int) error
	// release lets go of what prepare has made: hundreds of megabytes would
	// change how often the garbage collector runs in the next row's pass.
	release()
}

// unprepared is for tasks that work on the chunks themselves.
type unprepared struct{}

func (unprepared) prepare() error { return nil }
func (unprepared) release()       {}

// walkTask indexes chunks with one tape.
type walkTask struct {
	unprepared
	chunks [][]byte
	tape   nbt.Tape
}

func (t *walkTask) do(i int) (int, error) {
	err := t.tape.Parse(t.chunks[i])
	return t.tape.Len(), err
}

func (t *walkTask) verify(i int) error { return verifyTape(&t.tape, t.chunks[i]) }

// skipTask looks for what tells chunks apart, and reads all the rest as well.
type skipTask struct {
	unprepared
	chunks [][]byte
	visit  func(name []byte, value nbt.Raw) bool
	got    rootMembers
}

// rootMembers are what skip is after. What a chunk has not, or not of that
// type, is zero.
type rootMembers struct {
	dataVersion, x, z, lastUpdate int64
	status                        []byte // in modified UTF-8, a view
}

func newSkipTask(chunks [][]byte) *skipTask {
	t := &skipTask{chunks: chunks}
	t.visit = func(name []byte, value nbt.Raw) bool { // made once: a closure is an allocation
		switch string(name) {
		case "DataVersion":
			t.got.dataVersion, _ = value.Int()
		case "xPos":
			t.got.x, _ = value.Int()
		case "zPos":
			t.got.z, _ = value.Int()
		case "LastUpdate":
			t.got.lastUpdate, _ = value.Int()
		case "Status":
			t.got.status, _ = value.Bytes()
		}
		return true
	}
	return t
}

func (t *skipTask) do(i int) (int, error) {
	t.got = rootMembers{}
	err := nbt.ScanRoot(t.chunks[i], nbt.Limits{}, t.visit)
	g := &t.got
	return int(g.dataVersion+3*g.x+5*g.z+7*g.lastUpdate) + len(g.status), err
}

func (t *skipTask) verify(i int) error { return verifyMembers(t.got, t.chunks[i]) }

// typedTask decodes into a new struct each.
type typedTask struct {
	unprepared
	chunks [][]byte
	last   *nbtChunk
}

func (t *typedTask) do(i int) (int, error) {
	t.last = new(nbtChunk)
	err := nbt.Unmarshal(t.chunks[i], t.last)
	return len(t.last.Sections), err
}

func (t *typedTask) verify(i int) error { return verifyTyped(t.last, t.chunks[i]) }

// anyTask decodes into a new any each.
type anyTask struct {
	unprepared
	chunks [][]byte
	last   any
}

func (t *anyTask) do(i int) (int, error) {
	t.last = nil
	err := nbt.Unmarshal(t.chunks[i], &t.last)
	root, _ := t.last.(nbt.Compound)
	return len(root), err
}

func (t *anyTask) verify(i int) error { return verifyAny(t.last, t.chunks[i]) }

// marshalTask encodes values into one buffer.
type marshalTask struct {
	chunks [][]byte
	decode func(chunk []byte) (any, error)
	// judge checks what became of a chunk.
	judge  func(out, chunk []byte) error
	values []any
	buf    []byte
}

func newMarshalTyped(chunks [][]byte) *marshalTask {
	return &marshalTask{chunks: chunks, judge: verifyTypedOutput, decode: func(chunk []byte) (any, error) {
		c := new(nbtChunk)
		err := nbt.Unmarshal(chunk, c)
		return c, err
	}}
}

func newMarshalAny(chunks [][]byte) *marshalTask {
	return &marshalTask{chunks: chunks, judge: verifyOutput, decode: decodeAny}
}

func decodeAny(chunk []byte) (v any, err error) {
	err = nbt.Unmarshal(chunk, &v)
	return v, err
}

func (t *marshalTask) prepare() error {
	t.values = make([]any, len(t.chunks))
	for i, chunk := range t.chunks {
		var err error
		if t.values[i], err = t.decode(chunk); err != nil {
			return err
		}
	}
	return nil
}

func (t *marshalTask) release() { t.values = nil }

func (t *marshalTask) do(i int) (n int, err error) {
	t.buf, err = nbt.AppendMarshal(t.buf[:0], t.values[i])
	return len(t.buf), err
}

func (t *marshalTask) verify(i int) error { return t.judge(t.buf, t.chunks[i]) }

// editedLastUpdate is what edit sets: no tick of any real world.
const editedLastUpdate = 0x5a5a_1234_5678_9abc

// editTask replaces LastUpdate and, where there are sections, the middle one by
// the one above it.
type editTask struct {
	chunks   [][]byte
	tapes    []nbt.Tape
	sections []nbt.Raw // to put in, in chunks without sections none
	edit     nbt.Edit
	buf      []byte
}

func (t *editTask) prepare() error {
	t.tapes, t.sections = make([]nbt.Tape, len(t.chunks)), make([]nbt.Raw, len(t.chunks))
	for i, chunk := range t.chunks {
		if err := t.tapes[i].Parse(chunk); err != nil {
			return err
		}
		sections := t.tapes[i].Root().Get("sections")
		if _, from := editedSection(sections.Len()); from >= 0 {
			t.sections[i] = sections.At(from).Raw()
		}
	}
	return nil
}

// editedSection returns which of n sections is replaced and by which, -1 if
// there are none.
func editedSection(n int) (to, from int) {
	if n == 0 {
		return -1, -1
	}
	return n / 2, (n/2 + 1) % n
}

func (t *editTask) release() { t.tapes, t.sections = nil, nil }

func (t *editTask) do(i int) (n int, err error) {
	root := t.tapes[i].Root()
	t.edit.Reset(&t.tapes[i])
	t.edit.Set(root, "LastUpdate", t.edit.Long(editedLastUpdate))
	if t.sections[i].Exists() {
		sections := root.Get("sections")
		to, _ := editedSection(sections.Len())
		t.edit.SetElement(sections, to, t.sections[i])
	}
	t.buf, err = t.edit.AppendTo(t.buf[:0])
	return len(t.buf), err
}

func (t *editTask) verify(i int) error { return verifyEdited(t.buf, t.chunks[i]) }

// errWrong begins what verification finds.
var errWrong = errors.New("wrong result")
