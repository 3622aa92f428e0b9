package clients

import "testing"

// Library is an implementation of NBT that a judge can ask.
type Library string

// The libraries.
const (
	Prismarine Library = "prismarine" // prismarine-nbt
	NBTify     Library = "nbtify"
)

// Libraries are all of them.
var Libraries = [...]Library{Prismarine, NBTify}

// Form is how a document begins.
type Form string

// The forms. The network form is that of Java Edition since 1.20.2.
const (
	File    Form = "file"    // type, name, payload
	Network Form = "network" // type, payload
)

// NBT is the judge of NBT: uncompressed, big-endian. What a library makes of
// a document is not always right: AsRead and Deviations say where.
//
// The errors of all methods are a *Refusal when the library threw one, and
// wrap ErrNoAnswer or ErrTooLarge when it was not heard.
type NBT struct{ judge *judge }

// StartNBT prepares the judge of NBT for the length of a test, which is
// skipped, or fails when testbed.MustRun, if it cannot run here.
func StartNBT(t testing.TB) *NBT {
	t.Helper()
	return &NBT{startJudge(t, "nbt.mjs")}
}

// Decode returns what lib reads from a document in a form. All of data must
// be the document.
func (n *NBT) Decode(lib Library, form Form, data []byte) (Document, error) {
	var answer struct {
		Document wireDocument `json:"document"`
	}
	err := n.judge.call("decode", map[string]any{"lib": lib, "form": form, "data": notNil(data)}, &answer)
	document := Document{Root: answer.Document.Root}
	if answer.Document.Name != nil {
		document.Name = *answer.Document.Name
	}
	return document, err
}

// Encode returns the document as lib writes it in a form.
func (n *NBT) Encode(lib Library, form Form, document Document) ([]byte, error) {
	var answer struct {
		Data []byte `json:"data"`
	}
	wire := wireDocument{Name: &document.Name, Root: document.Root}
	err := n.judge.call("encode", map[string]any{"lib": lib, "form": form, "document": wire}, &answer)
	return answer.Data, err
}

// Reencode returns what lib writes after it has read data, in the same form.
func (n *NBT) Reencode(lib Library, form Form, data []byte) ([]byte, error) {
	var answer struct {
		Data []byte `json:"data"`
	}
	err := n.judge.call("reencode", map[string]any{"lib": lib, "form": form, "data": notNil(data)}, &answer)
	return answer.Data, err
}

// ParseSNBT returns what NBTify reads from SNBT text. ForNBTify puts the text
// in the words that it knows.
func (n *NBT) ParseSNBT(text Text) (Value, error) {
	var answer struct {
		Value Value `json:"value"`
	}
	err := n.judge.call("snbt-parse", map[string]any{"text": text}, &answer)
	return answer.Value, err
}

// PrintSNBT returns the root of a document in NBTify's SNBT, on one line.
func (n *NBT) PrintSNBT(form Form, data []byte) (Text, error) {
	var answer struct {
		Text Text `json:"text"`
	}
	err := n.judge.call("snbt-print", map[string]any{"form": form, "data": notNil(data)}, &answer)
	return answer.Text, err
}
