package datapack

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ImportOptions say how to import. The zero value works.
type ImportOptions struct {
	// Version is the game version of data that do not say theirs, or only that
	// they are of one of several versions: "26.1.2". It must fit the data.
	Version string
	// DryRun checks everything and writes nothing.
	DryRun bool
	// Limits bound what is read.
	Limits Limits
	// Now is the clock for the manifest: default time.Now.
	Now func() time.Time
	// Progress is called as files are done, on the goroutine of the caller.
	Progress func(done, total int)
}

// Imported is the result of an import.
type Imported struct {
	Path        string // of the file that was written, or would be
	Manifest    Manifest
	StoredBytes int64 // size of the file; 0 for a dry run
	Replaced    bool  // a file of that version was there before
}

// Import copies the game's own data out of a server.jar, a zip or a folder
// into a game file of the home: all of data/minecraft, version.json, and the
// English language file if it is there. JSON files are kept byte for byte,
// structure templates without their gzip. A file that is not what its name
// says (JSON, NBT) is left out and listed in Manifest.Skipped, with what the
// pack itself skipped.
//
// The game file is written under a temporary name, flushed, read back and
// compared, and renamed, so that a crash leaves the file that was there before
// or the whole new one. One import into a home runs at a time; a second one
// gets vfs.ErrLocked.
//
// Errors are those of Open; ErrNotPack where src holds a data pack that is not
// the game's own data; ErrVersion where Strata does not run their version;
// ErrNoVersion where it has to be given; vfs.ErrNoSpace. Import reads and writes until it is done
// or ctx ends.
func (h Home) Import(ctx context.Context, src string, opts ImportOptions) (*Imported, error) {
	p, err := Open(src, Options{Limits: opts.Limits})
	if err != nil {
		return nil, err
	}
	im := &importer{home: h, opts: opts, pack: p}
	if opts.Now == nil {
		im.opts.Now = time.Now
	}
	done, err := im.run(ctx)
	if cerr := p.Close(); err == nil && cerr != nil {
		return nil, inPack(p.name, "", cerr)
	}
	return done, err
}

type importer struct {
	home  Home
	opts  ImportOptions
	pack  *Pack
	files catalog
	skips skips
	sum   hash.Hash // becomes Manifest.ContentSHA256
	kept  int
	bytes int64
	count map[string]int
}

func (im *importer) run(ctx context.Context) (*Imported, error) {
	if mark := im.pack.missingMark(); mark != "" {
		return nil, inPack(im.pack.name, "", fmt.Errorf("%w of the game's own data: no %s", ErrNotPack, mark))
	}
	version, from, err := im.version()
	if err != nil {
		return nil, inPack(im.pack.name, "", err)
	}
	im.skips = skips{list: im.pack.skips.list[:len(im.pack.skips.list):len(im.pack.skips.list)], count: im.pack.skips.count}
	for _, e := range im.pack.files {
		if e.name == versionName || e.name == languageName || strings.HasPrefix(e.name, gameData) {
			im.files = append(im.files, e)
		}
	}
	m := Manifest{Version: version, VersionFrom: from, ImportedAt: im.opts.Now().UTC().Truncate(time.Second)}
	if m.Source, err = sourceOf(ctx, im.pack); err != nil {
		return nil, inPack(im.pack.name, "", err)
	}
	result := &Imported{Path: im.home.Path(version.ID)}
	if im.opts.DryRun {
		_, err := im.home.fs().Stat(result.Path)
		result.Replaced = err == nil
		if err := im.copy(ctx, nil); err != nil {
			return nil, err
		}
		result.Manifest = im.complete(m)
		return result, nil
	}
	if err := im.install(ctx, m, result); err != nil {
		return nil, fmt.Errorf("import %s: %w", im.pack.name, err)
	}
	return result, nil
}

// version decides which version the data are of.
func (im *importer) version() (Version, VersionFrom, error) {
	v, err := im.pack.Version()
	from := FromContent
	switch {
	case im.pack.manifest != nil: // imported before, perhaps elsewhere
		from = im.pack.manifest.VersionFrom
	case im.pack.HasVersion():
		from = FromVersionJSON
	}
	if im.opts.Version == "" {
		if err == nil && !v.Supported() {
			err = fmt.Errorf("%w: %s, protocol %d", ErrVersion, v, v.Protocol)
		}
		return v, from, err
	}
	given, ok := KnownVersion(im.opts.Version)
	if !ok || !given.Supported() {
		return v, from, fmt.Errorf("%w: %q", ErrVersion, clip(im.opts.Version))
	}
	if im.pack.HasVersion() {
		if err == nil && v.ID != given.ID {
			err = fmt.Errorf("%w: the data are of %s, not of %s", ErrVersion, v.ID, given.ID)
		}
		return v, from, err
	}
	ev, err := im.pack.gatherEvidence()
	if err == nil && !ev.fits(given) {
		err = fmt.Errorf("%w: the data have %s and so are not of %s", ErrVersion, ev, given.ID)
	}
	return given, FromCaller, err
}

// sourceOf hashes the source, if it is a file.
func sourceOf(ctx context.Context, p *Pack) (Source, error) {
	s := Source{Path: p.path, Kind: p.kind}
	if abs, err := filepath.Abs(p.path); err == nil {
		s.Path = abs
	}
	if p.kind == KindFolder {
		return s, nil
	}
	f, err := os.Open(p.path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	one, two := sha1.New(), sha256.New()
	s.Bytes, err = io.Copy(io.MultiWriter(one, two), contextReader{ctx, f})
	s.SHA1, s.SHA256 = hex.EncodeToString(one.Sum(nil)), hex.EncodeToString(two.Sum(nil))
	return s, err
}

// contextReader ends with the context.
type contextReader struct {
	ctx context.Context // lives for one io.Copy
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// copy reads and checks every file, and writes it to w, unless that is nil.
func (im *importer) copy(ctx context.Context, w *gameWriter) error {
	im.sum, im.count = sha256.New(), map[string]int{}
	for i, e := range im.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := im.pack.reader.read(e)
		if err != nil {
			return inPack(im.pack.name, e.name, err)
		}
		data, err = checked(e.name, data, im.pack.limits)
		if err != nil {
			im.skips.add(e.name, "%v", err)
		} else {
			im.kept++
			im.bytes += int64(len(data))
			im.sum.Write(contentLine(e.name, data))
			if registry := registryOf(e.name); registry != "" {
				im.count[registry]++
			}
			if w != nil {
				err = w.add(e.name, data)
			} else {
				err = nil
			}
			if err != nil {
				return err
			}
		}
		if im.opts.Progress != nil {
			im.opts.Progress(i+1, len(im.files))
		}
	}
	if n := len(im.pack.Builtin()); n > 0 {
		im.count["builtin_packs"] = n
	}
	return nil
}

// contentLine is what a file adds to ContentSHA256: its name, NUL, the SHA-256
// of its content.
func contentLine(name string, data []byte) []byte {
	sum := sha256.Sum256(data)
	return append([]byte(name+"\x00"), sum[:]...)
}

// checked returns the content as it is stored: NBT without gzip. The error
// says why a file is of no use.
func checked(name string, data []byte, limits Limits) ([]byte, error) {
	switch {
	case strings.HasSuffix(name, ".json"), strings.HasSuffix(name, ".mcmeta"):
		if !json.Valid(data) {
			return nil, errors.New("not JSON")
		}
	case strings.HasSuffix(name, ".nbt"):
		if isGzip(data) {
			plain, err := gunzip(data, limits.FileBytes)
			if err != nil {
				return nil, err
			}
			data = plain
		}
		// A compound with a name, and the tag that ends it.
		if len(data) < 4 || data[0] != 10 || data[len(data)-1] != 0 {
			return nil, errors.New("not NBT")
		}
	}
	return data, nil
}

// complete fills in what copy has found out.
func (im *importer) complete(m Manifest) Manifest {
	m.ContentSHA256 = hex.EncodeToString(im.sum.Sum(nil))
	m.Files, m.Bytes, m.Counts = im.kept, im.bytes, im.count
	m.SkippedFiles, m.Skipped = im.skips.count, im.skips.list
	if m.Skipped == nil {
		m.Skipped = []Skipped{}
	}
	return m
}
