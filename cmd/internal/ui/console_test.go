package ui

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
)

// desk is a console with its streams in memory.
type desk struct {
	*Console
	out, err lockedBuffer
}

// lockedBuffer is a buffer that a test may read while others write.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// setting is what surrounds a desk.
type setting struct {
	args     []string
	in       string
	terminal bool
	env      map[string]string
}

func open(s setting) (*desk, error) {
	d := &desk{}
	var flags Flags
	set := pflag.NewFlagSet("test", pflag.ContinueOnError)
	flags.Register(set)
	if err := set.Parse(s.args); err != nil {
		return nil, err
	}
	var err error
	d.Console, err = flags.Open(Streams{
		In: strings.NewReader(s.in), Out: &d.out, Err: &d.err,
		InTerminal: s.terminal, OutTerminal: s.terminal, ErrTerminal: s.terminal,
		Getenv: func(name string) string { return s.env[name] },
	})
	return d, err
}

func newDesk(t *testing.T, s setting) *desk {
	t.Helper()
	d, err := open(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestResultIsTextOrJSONOnStandardOutput(t *testing.T) {
	type result struct {
		Name  string        `json:"name"`
		Bytes int64         `json:"bytes"`
		At    time.Time     `json:"at"`
		Took  time.Duration `json:"took_ns"`
	}
	v := result{"a<b", 8192, time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), 1500 * time.Microsecond}
	text := func(w io.Writer) error {
		_, err := fmt.Fprintln(w, v.Name, FormatBytes(v.Bytes))
		return err
	}
	for _, tc := range []struct {
		args []string
		json bool
		want string
	}{
		{nil, false, "a<b 8.00 KiB\n"},
		{[]string{"--json"}, true, `{
  "name": "a<b",
  "bytes": 8192,
  "at": "2026-11-30T12:00:00Z",
  "took_ns": 1500000
}
`},
	} {
		d := newDesk(t, setting{args: tc.args})
		if err := d.Result(v, text); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, d.out.String()); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tc.args, diff)
		}
		if d.JSON() != tc.json {
			t.Errorf("%v: JSON is %v", tc.args, d.JSON())
		}
		if d.err.String() != "" {
			t.Errorf("standard error has %q", d.err.String())
		}
	}
}

func TestNotesAndLogsGoToStandardError(t *testing.T) {
	d := newDesk(t, setting{args: []string{"--log-level=warn", "--log-format=json"}})
	d.Notef("opened %s", "w")
	d.Log().Info("below the level")
	d.Log().Warn("slow disk", "flush_ns", time.Second)
	lines := strings.Split(strings.TrimSpace(d.err.String()), "\n")
	if len(lines) != 2 || lines[0] != "opened w" {
		t.Fatalf("lines %q", lines)
	}
	for _, part := range []string{`"level":"WARN"`, `"msg":"slow disk"`, `"flush_ns":1000000000`} {
		if !strings.Contains(lines[1], part) {
			t.Errorf("log entry %s lacks %s", lines[1], part)
		}
	}
	if d.out.String() != "" {
		t.Errorf("standard output has %q", d.out.String())
	}

	d = newDesk(t, setting{})
	d.Log().Debug("below the level")
	d.Log().Info("as text")
	if got := d.err.String(); !strings.Contains(got, `level=INFO msg="as text"`) || strings.Contains(got, "below") {
		t.Errorf("text log %q", got)
	}
}

func TestWrongFlagValueNamesTheChoices(t *testing.T) {
	for arg, want := range map[string]string{
		"--progress=fast":  `--progress "fast" is not one of auto, bar, plain, json or none`,
		"--log-level=loud": `--log-level "loud" is not one of debug, info, warn or error`,
		"--log-format=xml": `--log-format "xml" is not one of text or json`,
	} {
		_, err := open(setting{args: []string{arg}})
		if err == nil || err.Error() != want || CodeOf(err) != Usage {
			t.Errorf("%s: error %v of code %d", arg, err, CodeOf(err))
		}
	}
}

func TestColorOnlyOnATerminalThatTakesIt(t *testing.T) {
	for _, tc := range []struct {
		terminal bool
		env      map[string]string
		want     bool
	}{
		{terminal: true, want: true},
		{terminal: false, want: false},
		{terminal: true, env: map[string]string{"NO_COLOR": "1"}, want: false},
		{terminal: true, env: map[string]string{"NO_COLOR": ""}, want: true},
		{terminal: true, env: map[string]string{"TERM": "dumb"}, want: false},
	} {
		if got := newDesk(t, setting{terminal: tc.terminal, env: tc.env}).Color(); got != tc.want {
			t.Errorf("%+v: colour %v", tc, got)
		}
	}
}

func TestStreamsOfATestProcessAreNoTerminal(t *testing.T) {
	s := OSStreams()
	if s.In == nil || s.Out == nil || s.Err == nil || s.Getenv("PATH") == "" {
		t.Errorf("streams %+v", s)
	}
}
