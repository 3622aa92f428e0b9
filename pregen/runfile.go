package pregen

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"

	"strata/pregen/plan"
	"strata/region"
	"strata/region/vfs"
)

// The files of a run, below the world's folder.
const (
	runFolder = "strata/pregen"
	runName   = "run.json"
	// runFormat is the form of the run file.
	runFormat = 1
	// maxRunFile bounds what is read: some 200 bytes for each region that the
	// world had.
	maxRunFile = 512 << 20
)

// setting is one thing that decides what the files of a run hold.
type setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// gameFilesSetting is the one setting that may come to be.
const gameFilesSetting = "game files"

// runFile is what is recorded when a run begins, so that one that is killed
// goes on as if it had not been.
type runFile struct {
	Format int `json:"format"`
	// ID is in all spools of the run.
	ID      uint64  `json:"id,string"`
	Request Request `json:"request,omitempty"`
	// Settings have to be the same for the run to go on.
	Settings []setting `json:"settings"`
	// Existed is the chunks that the world had, by dimension and region: what
	// was not there before is of this run, and never the input of its work.
	Existed map[string]map[string]string `json:"existed"`
	// Finished says that all is done but for what failed: the same settings try
	// those again, others begin a new run.
	Finished bool `json:"finished,omitempty"`
}

// newRunFile begins a run.
func newRunFile(settings []setting) *runFile {
	return &runFile{Format: runFormat, ID: rand.Uint64(), Settings: settings, Existed: make(map[string]map[string]string)}
}

// readRunFile returns the run file in a folder, nil if there is none.
func readRunFile(fsys vfs.FS, folder string) (*runFile, error) {
	data, err := vfs.ReadFile(fsys, filepath.Join(folder, runName), maxRunFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := new(runFile)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrRunFile, err)
	}
	if r.Format != runFormat {
		return nil, fmt.Errorf("%w: it is of form %d, this program writes %d", ErrRunFile, r.Format, runFormat)
	}
	return r, nil
}

// write puts the run file into its folder, durable.
func (r *runFile) write(fsys vfs.FS, folder string) error {
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	if err := vfs.MkdirAllSync(fsys, folder, 0o755); err != nil {
		return err
	}
	return vfs.WriteFileSync(fsys, filepath.Join(folder, runName), append(data, '\n'), 0o644)
}

// compare returns the settings in which the run is another one. Game files that
// were not there at first are no difference.
func (r *runFile) compare(now []setting) []Difference {
	var all []Difference
	was := make(map[string]string, len(r.Settings))
	for _, s := range r.Settings {
		was[s.Name] = s.Value
	}
	for _, s := range now {
		old, ok := was[s.Name]
		delete(was, s.Name)
		if ok && old == s.Value || old == "" && strings.HasPrefix(s.Name, gameFilesSetting) {
			continue
		}
		all = append(all, Difference{s.Name, old, s.Value})
	}
	for _, s := range r.Settings { // in their order
		if old, left := was[s.Name]; left {
			all = append(all, Difference{s.Name, old, ""})
		}
	}
	return all
}

// adopt notes game files that have come to be, and reports whether there are
// any.
func (r *runFile) adopt(now []setting) bool {
	changed := false
	for i := range r.Settings {
		s := &r.Settings[i]
		for _, n := range now {
			if n.Name == s.Name && n.Value != s.Value {
				s.Value, changed = n.Value, true
			}
		}
	}
	return changed
}

// record notes which chunks of a dimension there are.
func (r *runFile) record(dimension string, masks map[region.Pos]plan.Mask) {
	texts := make(map[string]string, len(masks))
	for p, m := range masks {
		var b [128]byte
		for z, row := range m {
			binary.BigEndian.PutUint32(b[4*z:], row)
		}
		texts[fmt.Sprintf("%d,%d", p.X, p.Z)] = base64.StdEncoding.EncodeToString(b[:])
	}
	r.Existed[dimension] = texts
}

// existed returns what record noted.
func (r *runFile) existed(dimension string) (map[region.Pos]plan.Mask, error) {
	masks := make(map[region.Pos]plan.Mask, len(r.Existed[dimension]))
	for name, text := range r.Existed[dimension] {
		p, ok := parseRegion(name)
		b, err := base64.StdEncoding.DecodeString(text)
		if !ok || err != nil || len(b) != 128 {
			return nil, fmt.Errorf("%w: region %q of %s", ErrRunFile, name, dimension)
		}
		var m plan.Mask
		for z := range m {
			m[z] = binary.BigEndian.Uint32(b[4*z:])
		}
		masks[p] = m
	}
	return masks, nil
}

func parseRegion(name string) (p region.Pos, ok bool) {
	x, z, ok := strings.Cut(name, ",")
	if !ok {
		return p, false
	}
	px, err := strconv.ParseInt(x, 10, 32)
	if err != nil {
		return p, false
	}
	pz, err := strconv.ParseInt(z, 10, 32)
	return region.Pos{X: int32(px), Z: int32(pz)}, err == nil
}

// settingsOf lists what the bytes of a run depend on.
func settingsOf(o *Options, dataVersion int32) []setting {
	all := []setting{
		{"seed", strconv.FormatInt(o.Seed, 10)},
		{"data version", strconv.Itoa(int(dataVersion))},
		{"status", o.Until.String()},
		{"level", o.Level.String()},
		{"timestamp", strconv.FormatUint(uint64(o.Timestamp), 10)},
		{"chunks beside old ones", map[bool]string{false: "left out", true: "made"}[o.NoBlending]},
	}
	for _, t := range o.Targets {
		area := "existing chunks"
		if t.Area != nil {
			area = t.Area.String()
		}
		f := t.Generator.Facts()
		all = append(all,
			setting{"area in " + t.Dimension, area},
			setting{"generator revision in " + t.Dimension, f.Revision},
			setting{"generator of " + t.Dimension, f.Parameters},
			setting{gameFilesSetting + " in " + t.Dimension, f.GameFiles})
	}
	return all
}
