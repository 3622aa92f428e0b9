package region

import (
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/region/codec"
	"strata/region/vfs"
)

func TestEveryClassHasASeverity(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "class.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		if lit, ok := node.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			name, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			n++
			if _, ok := severities[Class(name)]; !ok {
				t.Errorf("class %s has no severity", name)
			}
		}
		return true
	})
	if n != len(severities) {
		t.Errorf("class.go names %d classes, the table %d", n, len(severities))
	}
}

func TestSeverityNamesAreStable(t *testing.T) {
	b, err := json.Marshal(Finding{Class: Overlap, Severity: SeverityError, Path: "r.0.0.mca", Slot: 3, Chunk: ChunkPos{3, 0}, Sector: 7, Offset: 28672})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"class":"overlap","severity":"error","path":"r.0.0.mca","slot":3,"chunk":{"X":3,"Z":0},"sector":7,"offset":28672,"detail":""}`
	if string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
	var f Finding
	if err := json.Unmarshal(b, &f); err != nil || f.Severity != SeverityError {
		t.Errorf("read back: %v, %v", f, err)
	}
}

func TestCheckCountsWhatAFileHolds(t *testing.T) {
	m := newImage(t, Pos{-3, 7})
	a := m.chunk(5, codec.Zlib, 9000)
	b := m.chunk(6, codec.LZ4, 100)
	m.grow(m.next + 3)
	body := encode(t, codec.Zlib, chunkBytes(m.pos.Chunk(900), 1, 30000))
	m.stub(900, codec.Zlib, body)
	m.bytes[int(b.start)*SectorBytes+SectorBytes-1] = 7
	fsys := vfs.NewMem(vfs.MemOptions{})
	r := testCheck(t, fsys, m.save(fsys, "w"))
	stream := func(x extent) int64 { return int64(recordLength(m.bytes[int(x.start)*SectorBytes:])) - 1 }
	want := &Report{
		Path: "w/r.-3.7.mca", Pos: Pos{-3, 7}, Named: true,
		SizeBytes: int64(len(m.bytes)), Chunks: 3, External: 1,
		PayloadBytes: stream(a) + stream(b) + int64(len(body)),
		PaddingBytes: int64(a.n+b.n+1)*SectorBytes - stream(a) - stream(b) - 3*RecordHeaderBytes,
		FreeSectors:  3, StaleBytes: 1,
		Schemes: map[codec.Scheme]int{codec.Zlib: 2, codec.LZ4: 1},
		Findings: []Finding{{
			Class: StaleBytes, Severity: SeverityInfo, Path: "w/r.-3.7.mca", Slot: 6, Chunk: ChunkPos{-90, 224},
			Sector: int64(b.start), Offset: int64(b.start) * SectorBytes, Detail: "1 bytes behind the record are not zero",
		}},
	}
	r.stubs, r.unclear = want.stubs, want.unclear
	if d := cmp.Diff(want, r, cmp.AllowUnexported(Report{})); d != "" {
		t.Error(d)
	}
}

func TestCheckDoesNotCreateOrOpenForWriting(t *testing.T) {
	fsys := vfs.NewMem(vfs.MemOptions{})
	if _, err := Check("r.0.0.mca", CheckOptions{FS: fsys}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want fs.ErrNotExist", err)
	}
	if entries, _ := fsys.ReadDir("."); len(entries) != 0 {
		t.Errorf("%d files were made", len(entries))
	}
	if err := fsys.Mkdir("r.1.1.mca", 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := Check("r.1.1.mca", CheckOptions{FS: fsys})
	if err != nil || r.Worst() != SeverityFatal || r.Findings[0].Class != IOError {
		t.Errorf("a folder: %v, %v", r, err)
	}
}

func TestCheckFolderReportsWhatIsNoRegionFile(t *testing.T) {
	fsys := vfs.NewMem(vfs.MemOptions{})
	m := newImage(t, Pos{0, 0})
	m.stub(1, codec.None, chunkBytes(ChunkPos{1, 0}, 1, 10))
	m.chunk(2, codec.Zlib, 100)
	m.set(3, 500, 1, 0) // out of range: may have been a stub
	for _, name := range []string{
		"c.2.0.mcc", "c.3.0.mcc", "c.64.64.mcc", "tmp123.tmp", ".strata-r.0.0.mca.1", "R.0.0.mca", "r.0.01.mca", "r.0.0.MCA",
		"C.1.0.mcc", "r.0.0.mca.strata-kept-0123456789abcdef", "r.0.0.mca.bak", "notes.txt",
	} {
		m.files[name] = nil
	}
	m.save(fsys, "w")
	putFile(t, fsys, "w/r.5.-5.mca", nil)
	for _, workers := range []int{0, 3} {
		r, err := CheckFolder(context.Background(), "w", CheckOptions{FS: fsys, Inspect: inspectChunk, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]Class{}
		for _, f := range r.Findings {
			got[f.Path] = f.Class
		}
		want := map[string]Class{
			"w/c.2.0.mcc": OrphanExternal, "w/c.64.64.mcc": OrphanExternal,
			"w/tmp123.tmp": Leftover, "w/.strata-r.0.0.mca.1": Leftover,
			"w/R.0.0.mca": Misnamed, "w/r.0.01.mca": Misnamed, "w/r.0.0.MCA": Misnamed, "w/C.1.0.mcc": Misnamed,
			"w/r.0.0.mca.strata-kept-0123456789abcdef": KeptCopy,
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		total := r.Totals()
		if total.Files != 2 || total.Chunks != 3 || total.Classes[ZeroByte] != 1 || total.Classes[OutOfRange] != 1 || r.Worst() != SeverityError {
			t.Errorf("totals %+v, worst %v", total, r.Worst())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := CheckFolder(ctx, "w", CheckOptions{FS: fsys}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
