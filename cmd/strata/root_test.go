package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"strata/cmd/internal/ui"
)

// runWith runs a command line with one more command in the tree.
func runWith(ctx context.Context, extra *cobra.Command, args ...string) (code ui.Code, out, err string) {
	var outText, errText strings.Builder
	code = run(ctx, args, ui.Streams{
		In: strings.NewReader(""), Out: &outText, Err: &errText,
		Getenv: func(string) string { return "" },
	}, extra)
	return code, outText.String(), errText.String()
}

func TestClosingErrorIsOneLineAHintAndACode(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tc := range []struct {
		name string
		ctx  context.Context
		err  error
		code ui.Code
		want string
	}{
		{"no error", t.Context(), nil, ui.OK, ""},
		{"plain", t.Context(), errors.New("disk on fire"), ui.Failed, "strata try: disk on fire\n"},
		{"coded", t.Context(), ui.Errorf(ui.Missing, "no world in w"), ui.Missing, "strata try: no world in w\n"},
		{"hinted", t.Context(), ui.WithHint(ui.Errorf(ui.Locked, "w is in use"), "Stop the server first."), ui.Locked,
			"strata try: w is in use\nStop the server first.\n"},
		{"interrupted", cancelled, fmt.Errorf("chunk 1,2: %w", context.Canceled), ui.Interrupted, "strata try: interrupted\n"},
		{"interrupted, with the way on", cancelled, ui.WithHint(context.Canceled, "Go on with 'strata try'."), ui.Interrupted,
			"strata try: interrupted\nGo on with 'strata try'.\n"},
		{"interrupted, with words of its own", cancelled, ui.Errorf(ui.Interrupted, "stopped after 12 chunks"), ui.Interrupted,
			"strata try: stopped after 12 chunks\n"},
		{"gave up by itself", t.Context(), fmt.Errorf("chunk 1,2: %w", context.Canceled), ui.Failed,
			"strata try: chunk 1,2: context canceled\n"},
		{"stopped in order in spite of the signal", cancelled, nil, ui.OK, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			try := &cobra.Command{Use: "try", RunE: func(*cobra.Command, []string) error { return tc.err }}
			code, out, err := runWith(tc.ctx, try, "try")
			if code != tc.code || out != "" {
				t.Errorf("code %d, want %d; standard output %q", code, tc.code, out)
			}
			if diff := cmp.Diff(tc.want, err); diff != "" {
				t.Errorf("standard error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMissingRequiredFlagIsAUsageError(t *testing.T) {
	try := &cobra.Command{Use: "try", RunE: func(*cobra.Command, []string) error { return nil }}
	try.Flags().Int("radius", 0, "")
	if err := try.MarkFlagRequired("radius"); err != nil {
		t.Fatal(err)
	}
	code, _, err := runWith(t.Context(), try, "try")
	if want := "strata try: required flag(s) \"radius\" not set\nRun 'strata try --help' for usage.\n"; code != ui.Usage || err != want {
		t.Errorf("code %d, standard error %q", code, err)
	}
}

func TestParentWithoutCommandsIsHidden(t *testing.T) {
	if empty := newParentCmd(&cobra.Command{Use: "empty"}); !empty.Hidden {
		t.Error("an empty parent is shown")
	}
	if full := newParentCmd(&cobra.Command{Use: "full"}, &cobra.Command{Use: "child"}); full.Hidden {
		t.Error("a parent with a command is hidden")
	}
}

func TestVersionComesFromTheBuild(t *testing.T) {
	at := time.Date(2026, 11, 30, 11, 0, 0, 0, time.UTC)
	info := func(main string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: main}, Settings: settings}
	}
	vcs := []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: at.Format(time.RFC3339)}, {Key: "vcs.modified", Value: "true"},
	}
	dirty := true
	for _, tc := range []struct {
		name       string
		from, want buildVersion
		info       *debug.BuildInfo
	}{
		{"nothing recorded", buildVersion{}, buildVersion{}, info("(devel)")},
		{"recorded by the go command", buildVersion{}, buildVersion{Version: "v0.1.0", Commit: "abc", Modified: &dirty, Time: &at}, info("v0.1.0", vcs...)},
		{"said by the linker", buildVersion{Version: "1.2.0", Commit: "def"}, buildVersion{Version: "1.2.0", Commit: "def"}, info("v0.1.0", vcs...)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := tc.from
			got.fromBuildInfo(tc.info)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestVersionTextSaysWhatIsKnown(t *testing.T) {
	clean := false
	at := time.Date(2026, 11, 30, 11, 0, 0, 0, time.UTC)
	for want, v := range map[string]buildVersion{
		"commit       not recorded in this build\n":           {},
		"commit       abc\n":                                  {Commit: "abc"},
		"commit       abc, unchanged, 2026-11-30T11:00:00Z\n": {Commit: "abc", Modified: &clean, Time: &at},
		"game tables  26.2: data version 4903, protocol 776, 1196 blocks, 32366 states\n": {
			Tables: []gameTable{{Name: "26.2", DataVersion: 4903, Protocol: 776, Blocks: 1196, BlockStates: 32366}}},
	} {
		var text strings.Builder
		if err := v.writeText(&text); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in %q", want, text.String())
		}
	}
}

func TestManDateIsReproducible(t *testing.T) {
	at := time.Date(2026, 11, 30, 11, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		env  string
		v    buildVersion
		want time.Time
	}{
		{"1000000000", buildVersion{Time: &at}, time.Unix(1000000000, 0).UTC()},
		{"", buildVersion{Time: &at}, at},
		{"", buildVersion{}, time.Unix(0, 0).UTC()},
	} {
		got, err := manDate(tc.env, tc.v)
		if err != nil || !got.Equal(tc.want) {
			t.Errorf("%+v: %v, %v", tc, got, err)
		}
	}
}
