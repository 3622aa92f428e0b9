package region

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"strata/region/codec"
)

// FolderReport is what CheckFolder found out about a folder of region files.
type FolderReport struct {
	Dir string `json:"dir"`
	// Regions are in the order of the files' names.
	Regions []*Report `json:"regions"`
	// Findings are about files of the folder that are no region files.
	Findings []Finding `json:"findings"`
}

// Worst is the highest severity among the findings of the folder and of its
// region files.
func (r *FolderReport) Worst() Severity {
	w := worst(r.Findings)
	for _, f := range r.Regions {
		w = max(w, f.Worst())
	}
	return w
}

// Totals sums reports up.
type Totals struct {
	Files, Chunks, External               int
	SizeBytes, PayloadBytes               int64
	PaddingBytes, StaleBytes, FreeSectors int64
	Schemes                               map[codec.Scheme]int
	Classes                               map[Class]int // findings of each class
}

// Totals sums the folder's region files up, and counts all findings.
func (r *FolderReport) Totals() Totals {
	t := Totals{Schemes: map[codec.Scheme]int{}, Classes: map[Class]int{}}
	for _, f := range r.Findings {
		t.Classes[f.Class]++
	}
	for _, f := range r.Regions {
		t.Files++
		t.Chunks += f.Chunks
		t.External += f.External
		t.SizeBytes += f.SizeBytes
		t.PayloadBytes += f.PayloadBytes
		t.PaddingBytes += f.PaddingBytes
		t.StaleBytes += f.StaleBytes
		t.FreeSectors += f.FreeSectors
		for s, n := range f.Schemes {
			t.Schemes[s] += n
		}
		for _, d := range f.Findings {
			t.Classes[d.Class]++
		}
	}
	return t
}

// CheckFolder checks every region file of a folder, and reports external
// files that no stub stands for, temporary files that were left over, and
// files whose name is nearly that of a region file. Subfolders are not
// entered. It goes on after files that cannot be read; a file that goes away
// meanwhile is left out.
//
// The errors are that of ctx, that of listing the folder, and those of the
// options. With Workers over 1 it runs as many goroutines and waits for them.
func CheckFolder(ctx context.Context, dir string, opts CheckOptions) (*FolderReport, error) {
	opts.Position = nil
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	entries, err := opts.FS.ReadDir(dir)
	if err != nil {
		return nil, &Error{Op: "check", Path: dir, Slot: -1, Offset: -1, Err: err}
	}
	var names []string
	for _, e := range entries {
		if _, ok := ParseName(e.Name()); ok {
			names = append(names, e.Name())
		}
	}
	reports, err := checkAll(ctx, dir, names, opts)
	if err != nil {
		return nil, err
	}
	f := &FolderReport{Dir: dir}
	byPos := map[Pos]*Report{}
	for _, r := range reports {
		if r != nil {
			f.Regions = append(f.Regions, r)
			byPos[r.Pos] = r
		}
	}
	stub := func(c ChunkPos) (file, stub bool) {
		r := byPos[c.Region()]
		return r != nil, r != nil && r.MayBeStub(c.Slot())
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		if finding, ok := CheckName(dir, e.Name(), stub); ok {
			f.Findings = append(f.Findings, finding)
		}
	}
	return f, nil
}

// CheckName says what is odd about a file of a folder that is no region file;
// false if nothing is. Of external files stub is asked whether the region of
// the chunk has a file, and whether the slot there is a stub or may have been
// one; see [Report.MayBeStub]. It only looks at names: CheckFolder calls it,
// and who checks the region files of a folder one by one.
func CheckName(dir, name string, stub func(ChunkPos) (file, stub bool)) (Finding, bool) {
	found := func(class Class, c ChunkPos, detail string) (Finding, bool) {
		return Finding{
			Class: class, Severity: class.Severity(), Path: filepath.Join(dir, name),
			Slot: -1, Chunk: c, Sector: -1, Offset: -1, Detail: detail,
		}, true
	}
	if c, ok := ParseExternalName(name); ok {
		switch hasFile, mayBe := stub(c); {
		case !hasFile:
			return found(OrphanExternal, c, "the chunk's region has no file")
		case !mayBe:
			return found(OrphanExternal, c, "the chunk's slot is no stub")
		}
		return Finding{}, false
	}
	switch {
	case isLeftover(name):
		return found(Leftover, ChunkPos{}, "temporary file")
	case strings.Contains(name, keptInfix):
		return found(KeptCopy, ChunkPos{}, "raw copy made before a repair")
	case isNearName(name):
		return found(Misnamed, ChunkPos{}, "nearly the name of a region file or an external file")
	}
	return Finding{}, false
}

// MayBeStub reports whether the slot is a stub for an external file, or so
// damaged that it may have been one.
func (r *Report) MayBeStub(s Slot) bool {
	return (r.stubs[s/64]|r.unclear[s/64])&(1<<(s%64)) != 0 || worst(r.Findings) == SeverityFatal
}

// isLeftover reports whether the name is that of a temporary file, ours or
// the game's, which makes its external files as tmp<digits>.tmp.
func isLeftover(name string) bool {
	return strings.HasPrefix(name, TemporaryPrefix) || strings.HasPrefix(name, "tmp") && strings.HasSuffix(name, ".tmp")
}

// isNearName reports whether a name that is none of ours reads like one in
// another case or with numbers spelt in another way.
func isNearName(name string) bool {
	low := strings.ToLower(name)
	if _, ok := ParseName(name); ok {
		return false
	}
	for _, kind := range [][2]string{{"r.", ".mca"}, {"c.", ".mcc"}} {
		rest, ok := strings.CutPrefix(low, kind[0])
		if !ok {
			continue
		}
		if rest, ok = strings.CutSuffix(rest, kind[1]); !ok {
			continue
		}
		x, z, ok := strings.Cut(rest, ".")
		if ok && isNearNumber(x) && isNearNumber(z) {
			return true
		}
	}
	return false
}

func isNearNumber(s string) bool {
	s = strings.TrimLeft(strings.TrimSpace(s), "+-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// checkAll checks the named files with opts.Workers goroutines. The report of
// a file that is gone is nil. After the first error no other file is begun.
func checkAll(ctx context.Context, dir string, names []string, opts CheckOptions) ([]*Report, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	reports := make([]*Report, len(names))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(opts.Workers, len(names)) {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(names) || ctx.Err() != nil {
					return
				}
				r, err := Check(filepath.Join(dir, names[i]), opts)
				switch {
				case err == nil:
					reports[i] = r
				case !errors.Is(err, fs.ErrNotExist):
					stop(err)
				}
			}
		})
	}
	workers.Wait()
	return reports, context.Cause(ctx)
}
