package nbt

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"strata/bench/testbed"
)

func TestDamageIsNamed(t *testing.T) {
	const root = "\x0a\x00\x00"
	tests := []struct {
		name, data string
		want       error
		offset     int
		path       string
	}{
		{"nothing", "", ErrTruncated, 0, ""},
		{"an End as root", "\x00", ErrRoot, 0, ""},
		{"a root of an unknown type", "\x0d\x00\x00", ErrType, 0, ""},
		{"a root without its name", "\x0a\x00\x05abc", ErrTruncated, 0, ""},
		{"no End", root, ErrTruncated, 3, ""},
		{"an unknown type", root + "\x0d\x00\x01a\x00", ErrType, 3, "a"},
		{"a type that would be a byte's in four bits", root + "\x11\x00\x01a\x00\x00", ErrType, 3, "a"},
		{"a name cut off", root + "\x01\x00\x09a", ErrTruncated, 3, ""},
		{"a long cut off", root + "\x04\x00\x01a\x00\x00", ErrTruncated, 3, "a"},
		{"a string cut off", root + "\x08\x00\x01a\x00\x03xy", ErrTruncated, 3, "a"},
		{"a string's length cut off", root + "\x08\x00\x01a\x00", ErrTruncated, 3, "a"},
		{"an array below zero", root + "\x07\x00\x01a\xff\xff\xff\xff\x00", ErrLength, 3, "a"},
		{"an array of 16 GiB", root + "\x0c\x00\x01a\x7f\xff\xff\xff\x00", ErrTruncated, 3, "a"},
		{"an array's length cut off", root + "\x0b\x00\x01a\x00\x00", ErrTruncated, 3, "a"},
		{"a list below zero", root + "\x09\x00\x01a\x0a\x80\x00\x00\x00\x00", ErrLength, 3, "a"},
		{"a list of Ends", root + "\x09\x00\x01a\x00\x00\x00\x00\x01\x00", ErrType, 3, "a"},
		{"a list of an unknown type", root + "\x09\x00\x01a\x0d\x00\x00\x00\x00\x00", ErrType, 3, "a"},
		{"a list of too many longs", root + "\x09\x00\x01a\x04\x00\x00\x00\x01\x00", ErrTruncated, 3, "a"},
		{"a list of too many compounds", root + "\x09\x00\x01a\x0a\x7f\xff\xff\xff\x00\x00", ErrTruncated, 14, "a[2]"},
		{"in a list of strings", root + "\x09\x00\x01a\x08\x00\x00\x00\x02\x00\x01x\x00\x09y", ErrTruncated, 15, "a[1]"},
		{"deep inside", root + "\x09\x00\x01a\x0a\x00\x00\x00\x01\x0a\x00\x03b.c\x01\x00\x02e\"", ErrTruncated, 18, `a[0]."b.c"."e\""`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var tape Tape
			err := tape.Parse([]byte(test.data))
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || !errors.Is(err, test.want) {
				t.Fatalf("got %v, want %v", err, test.want)
			}
			if syntax.Offset != test.offset || syntax.Path != test.path {
				t.Errorf("at %d %q, want %d %q", syntax.Offset, syntax.Path, test.offset, test.path)
			}
			if tape.Root().Exists() || tape.Size() != 0 || tape.Len() != 0 {
				t.Error("the tape is not empty")
			}
			scan := ScanRoot([]byte(test.data), Limits{}, func([]byte, Raw) bool { return true })
			if !errors.Is(scan, test.want) {
				t.Errorf("ScanRoot says %v", scan)
			}
		})
	}
}

// nestedDocument returns a rooted document of n containers in each other.
func nestedDocument(n int, list bool) []byte {
	if list {
		return append([]byte("\x09\x00\x00"), strings.Repeat("\x09\x00\x00\x00\x01", n-1)+"\x00\x00\x00\x00\x00"...)
	}
	return append([]byte("\x0a\x00\x00"), strings.Repeat("\x0a\x00\x00", n-1)+strings.Repeat("\x00", n)...)
}

func TestLimitsHoldExactly(t *testing.T) {
	for _, list := range []bool{false, true} {
		for _, depth := range []int{1, 2, 16, 17, DefaultDepth, MaxDepth} {
			tape := Tape{Limits: Limits{Depth: depth}}
			if err := tape.Parse(nestedDocument(depth, list)); err != nil {
				t.Errorf("%d deep, list %t: %v", depth, list, err)
			}
			if err := tape.Parse(nestedDocument(depth+1, list)); !errors.Is(err, ErrDepth) {
				t.Errorf("%d deep, list %t: %v", depth+1, list, err)
			}
			if list {
				continue
			}
			visit := func([]byte, Raw) bool { return true }
			if err := ScanRoot(nestedDocument(depth, list), tape.Limits, visit); err != nil {
				t.Errorf("scan %d deep: %v", depth, err)
			}
			if err := ScanRoot(nestedDocument(depth+1, list), tape.Limits, visit); !errors.Is(err, ErrDepth) {
				t.Errorf("scan %d deep: %v", depth+1, err)
			}
		}
	}
	data := document(t)
	var tape Tape
	if err := tape.Parse(data); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		limits Limits
		want   error
	}{
		{Limits{Bytes: len(data)}, nil},
		{Limits{Bytes: len(data) - 1}, ErrSize},
		{Limits{Bytes: 2}, ErrSize}, // within the root's header
		{Limits{Tags: tape.Len()}, nil},
		{Limits{Tags: tape.Len() - 1}, ErrTags},
	} {
		limited := Tape{Limits: test.limits}
		if err := limited.Parse(append(data, 0, 0, 0)); !errors.Is(err, test.want) {
			t.Errorf("%+v: %v", test.limits, err)
		}
		if test.limits.Tags != 0 {
			continue
		}
		visit := func([]byte, Raw) bool { return true }
		if err := ScanRoot(append(data, 0, 0, 0), test.limits, visit); !errors.Is(err, test.want) {
			t.Errorf("scan, %+v: %v", test.limits, err)
		}
	}
	for _, limits := range []Limits{{Depth: -1}, {Depth: MaxDepth + 1}, {Bytes: -1}, {Tags: MaxTags + 1}} {
		if err := (&Tape{Limits: limits}).Parse(data); err == nil {
			t.Errorf("%+v is accepted", limits)
		}
	}
}

// TestLimitsHoldForATapeUsedAgain reads the document before with wide limits:
// the room that this left must not stand in for Limits.Tags.
func TestLimitsHoldForATapeUsedAgain(t *testing.T) {
	data := document(t)
	var tape Tape
	if err := tape.Parse(data); err != nil {
		t.Fatal(err)
	}
	tags := tape.Len()
	tape.Limits.Tags = tags - 1
	if err := tape.Parse(data); !errors.Is(err, ErrTags) {
		t.Errorf("%d tags of %d: %v", tags, tags-1, err)
	}
	tape.Limits.Tags = tags
	if err := tape.Parse(data); err != nil || tape.Len() != tags {
		t.Errorf("%d tags of %d: %v", tape.Len(), tags, err)
	}
}

func TestNetworkForm(t *testing.T) {
	var tape Tape
	if err := tape.ParseNetwork([]byte{0, 1, 2}); err != nil || tape.Size() != 1 || tape.Root().Exists() {
		t.Errorf("End: %v, %d bytes, root %t", err, tape.Size(), tape.Root().Exists())
	}
	if err := tape.ParseNetwork([]byte("\x08\x00\x02hiX")); err != nil || tape.Size() != 5 || !tape.Root().Is("hi") {
		t.Errorf("string: %v, %d bytes", err, tape.Size())
	}
	if err := tape.ParseNetwork([]byte("\x0a\x01\x00\x01a\x05\x00")); err != nil {
		t.Error(err)
	} else if v, ok := tape.Root().Get("a").Int(); !ok || v != 5 || tape.Rooted() || tape.RootName() != nil {
		t.Errorf("compound: %d, %t", v, ok)
	}
	if err := tape.Parse([]byte("\x0a\x00\x02hi\x01\x00\x01a\x05\x00")); err != nil || string(tape.RootName()) != "hi" || !tape.Rooted() {
		t.Errorf("rooted: %v, name %q", err, tape.RootName())
	}
}

func TestWhatDoesNotExistIsEmpty(t *testing.T) {
	var tag Tag
	_, isInt := tag.Int()
	_, isFloat := tag.Float()
	_, isText := tag.Text()
	_, isBytes := tag.ByteArray()
	_, isInts := tag.IntArray()
	_, isLongs := tag.LongArray()
	if isInt || isFloat || isText || isBytes || isInts || isLongs || tag.Is("") || tag.Exists() || tag.Len() != 0 ||
		tag.Get("a").At(0).Exists() || tag.Raw().Exists() || tag.Elem() != TypeEnd {
		t.Error("the zero Tag has something")
	}
	for range tag.Members() {
		t.Error("a member")
	}
	for range tag.Elements() {
		t.Error("an element")
	}
}

func TestGetReturnsTheLastOfSeveralMembers(t *testing.T) {
	var tape Tape
	if err := tape.Parse([]byte("\x0a\x00\x00\x01\x00\x01a\x01\x01\x00\x01b\x02\x01\x00\x01a\x03\x00")); err != nil {
		t.Fatal(err)
	}
	if v, _ := tape.Root().Get("a").Int(); v != 3 || tape.Root().Len() != 3 {
		t.Errorf("a = %d of %d members", v, tape.Root().Len())
	}
}

// agree compares tape and ScanRoot with the naive reader.
func agree(t *testing.T, data []byte) {
	t.Helper()
	tape := Tape{Limits: Limits{Depth: 64}}
	err := tape.Parse(data)
	naive := naiveReader{data: data}
	want := naive.document(64)
	if (err == nil) != (want == nil) {
		t.Fatalf("%x: tape says %v, the judge %v", data, err, want)
	}
	if err == nil {
		if tape.Size() != naive.pos || tape.Len() != naive.tags {
			t.Fatalf("%x: %d bytes, %d tags, want %d, %d", data, tape.Size(), tape.Len(), naive.pos, naive.tags)
		}
		if got := printTag(nil, tape.Root()); !bytes.Equal(got, naive.out) {
			t.Fatalf("%x:\n%s\nwant\n%s", data, got, naive.out)
		}
	}
	if len(data) == 0 || data[0] != byte(TypeCompound) {
		return
	}
	var scanned []byte
	scanErr := ScanRoot(data, tape.Limits, func(name []byte, value Raw) bool {
		scanned = append(append(append(scanned, byte(value.Type), byte(len(name)>>8), byte(len(name))), name...), value.Data...)
		return true
	})
	if (scanErr == nil) != (want == nil) {
		t.Fatalf("%x: ScanRoot says %v, the judge %v", data, scanErr, want)
	}
	if raw := tape.Root().Raw(); err == nil && !bytes.Equal(append(scanned, 0), raw.Data) {
		t.Fatalf("%x: ScanRoot's members are %x, want %x", data, scanned, raw.Data)
	}
}

func FuzzTape(f *testing.F) {
	f.Add(document(f))
	f.Add(nestedDocument(64, false))
	f.Add(nestedDocument(65, true))
	f.Add([]byte("\x09\x00\x00\x09\x00\x00\x00\x02\x07\x00\x00\x00\x01\x00\x00\x00\x01x\x08\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return
		}
		agree(t, data)
	})
}

// TestDamagedDocumentsStorm changes bytes of real chunks and of a document with
// every type, and compares the verdicts.
func TestDamagedDocumentsStorm(t *testing.T) {
	seed := testbed.Seed(t)
	random := rand.New(rand.NewPCG(uint64(seed), 2))
	documents := [][]byte{document(t), document(t), document(t)}
	chunks := corpusChunks(t)
	for range 3 {
		documents = append(documents, chunks[random.IntN(len(chunks))])
	}
	n := testbed.Runs(t, 5_000)
	for range n {
		data := bytes.Clone(documents[random.IntN(len(documents))])
		for range 1 + random.IntN(3) {
			switch i := random.IntN(len(data)); random.IntN(4) {
			case 0:
				data[i] ^= 1 << random.IntN(8)
			case 1:
				data[i] = byte(random.IntN(14))
			case 2:
				data = data[:i+1]
			case 3:
				data[i] = byte(random.Uint32())
			}
		}
		agree(t, data)
	}
	t.Logf("%d damaged documents: tape, ScanRoot and the judge agree", n)
}
