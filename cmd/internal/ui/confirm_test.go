package ui

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

type plan struct {
	Delete int `json:"delete"`
}

func (plan) text(w io.Writer) error {
	_, err := io.WriteString(w, "delete 3 chunks\n")
	return err
}

// proceed parses args as ChangeFlags and asks for a change.
func proceed(t *testing.T, ctx context.Context, d *desk, args ...string) (bool, error) {
	t.Helper()
	var flags ChangeFlags
	set := pflag.NewFlagSet("test", pflag.ContinueOnError)
	flags.Register(set)
	if err := set.Parse(args); err != nil {
		t.Fatal(err)
	}
	return flags.Proceed(ctx, d.Console, plan{3}, plan{3}.text, "Delete them?")
}

func TestDryRunPrintsThePlanAsTheResult(t *testing.T) {
	for want, args := range map[string][]string{
		"delete 3 chunks\n":       nil,
		"{\n  \"delete\": 3\n}\n": {"--json"},
	} {
		d := newDesk(t, setting{args: args, terminal: true, in: "y\n"})
		ok, err := proceed(t, t.Context(), d, "--dry-run", "--yes")
		if ok || err != nil || d.out.String() != want || d.err.String() != "" {
			t.Errorf("%v, %v; out %q, err %q", ok, err, d.out.String(), d.err.String())
		}
	}
}

func TestYesAsksNothing(t *testing.T) {
	d := newDesk(t, setting{})
	ok, err := proceed(t, t.Context(), d, "-y")
	if !ok || err != nil || d.out.String()+d.err.String() != "" {
		t.Errorf("%v, %v; out %q, err %q", ok, err, d.out.String(), d.err.String())
	}
}

func TestAPersonIsShownThePlanAndAsked(t *testing.T) {
	for in, want := range map[string]bool{"y\n": true, "YES\n": true, " yes \n": true, "y": true,
		"\n": false, "n\n": false, "yep\n": false, "": false} {
		d := newDesk(t, setting{terminal: true, in: in})
		ok, err := proceed(t, t.Context(), d)
		if ok != want || (err == nil) != want {
			t.Errorf("answer %q: %v, %v", in, ok, err)
		}
		if err != nil && (CodeOf(err) != Failed || !strings.Contains(err.Error(), "nothing was changed")) {
			t.Errorf("answer %q: error %v of code %d", in, err, CodeOf(err))
		}
		if got, want := d.err.String(), "delete 3 chunks\nDelete them? [y/N] "; got != want {
			t.Errorf("asked %q, want %q", got, want)
		}
		if d.out.String() != "" {
			t.Errorf("standard output has %q", d.out.String())
		}
	}
}

func TestAScriptWithoutYesIsRefused(t *testing.T) {
	d := newDesk(t, setting{in: "y\n"})
	ok, err := proceed(t, t.Context(), d)
	if ok || CodeOf(err) != Usage || !strings.Contains(HintOf(err), "--yes") {
		t.Errorf("%v, %v, hint %q", ok, err, HintOf(err))
	}
}

func TestInterruptEndsTheQuestion(t *testing.T) {
	d := newDesk(t, setting{terminal: true})
	waiting, end := io.Pipe()
	defer end.Close() // lets the reader of the answer go
	d.streams.In = waiting
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ok, err := proceed(t, ctx, d)
	if ok || !errors.Is(err, context.Canceled) || CodeOf(err) != Interrupted {
		t.Errorf("%v, %v", ok, err)
	}
}
