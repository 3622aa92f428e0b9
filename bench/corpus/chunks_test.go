package corpus

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/bench/testbed"
)

func compress(t testing.TB, raw []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll(raw, nil)
}

func record(dst []byte, size, stored uint32, nbt []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, size)
	dst = binary.LittleEndian.AppendUint32(dst, stored)
	return append(dst, nbt...)
}

func TestLoadReadsEveryRecord(t *testing.T) {
	big := bytes.Repeat([]byte("0123456789abcdef"), 200_000) // more than one reading step
	want := []Chunk{{NBT: []byte("first"), StoredBytes: 3}, {NBT: []byte{}}, {NBT: big, StoredBytes: 70_000}}
	var raw []byte
	for _, c := range want {
		raw = record(raw, uint32(len(c.NBT)), uint32(c.StoredBytes), c.NBT)
	}
	path := filepath.Join(t.TempDir(), "c.bin.zst")
	if err := os.WriteFile(path, compress(t, raw), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d chunks, want %d", len(got), len(want))
	}
	for i, c := range got {
		if !bytes.Equal(c.NBT, want[i].NBT) || c.StoredBytes != want[i].StoredBytes {
			t.Errorf("chunk %d: %d bytes, %d stored", i, len(c.NBT), c.StoredBytes)
		}
		if cap(c.NBT) != len(c.NBT) {
			t.Errorf("chunk %d has spare capacity", i)
		}
	}
}

func TestReadRefusesDamage(t *testing.T) {
	whole := record(nil, 5, 0, []byte("hello"))
	tests := []struct {
		name string
		in   []byte
		want error
	}{
		{"not zstd", []byte("plain text, no magic"), ErrFormat},
		{"cut header", compress(t, append(bytes.Clone(whole), 1, 0, 0)), ErrFormat},
		{"cut record", compress(t, whole[:len(whole)-1]), ErrFormat},
		{"cut zstd", compress(t, bytes.Repeat(whole, 100))[:20], ErrFormat},
		{"length over limit", compress(t, record(nil, MaxChunk+1, 0, nil)), ErrLimit},
		{"stored length over limit", compress(t, record(nil, 0, 1<<31, nil)), ErrLimit},
		{"length at limit without bytes", compress(t, record(nil, MaxChunk, 0, nil)), ErrFormat},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Read(bytes.NewReader(tt.in)); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

func TestLoadReportsAMissingFile(t *testing.T) {
	if _, err := Load(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestLoadReadsTheSharedCorpus(t *testing.T) {
	chunks, err := Load(testbed.Shared(t, "worlds", "chunks-998.bin.zst"))
	if err != nil {
		t.Fatal(err)
	}
	var total int
	for _, c := range chunks {
		total += len(c.NBT)
		if len(c.NBT) == 0 || c.NBT[0] != 10 {
			t.Fatal("a chunk does not start with a compound tag")
		}
	}
	if mean := total / max(1, len(chunks)); len(chunks) != 998 || mean < 44_700 || mean > 44_900 {
		t.Errorf("got %d chunks of %d bytes, want 998 of about 44,800", len(chunks), mean)
	}
}
