package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// These are set by the linker for a release:
//
//	go build -ldflags "-X main.version=1.2.0 -X main.commit=$(git rev-parse HEAD)" ./cmd/strata
//
// Otherwise they come from what the go command recorded in the binary.
var version, commit string

// buildVersion is the result of strata version.
type buildVersion struct {
	Version  string      `json:"version"`  // "devel" without a release
	Commit   string      `json:"commit"`   // "" if not recorded
	Modified *bool       `json:"modified"` // whether the tree had changes; null if not recorded
	Time     *time.Time  `json:"time"`     // of the commit; null if not recorded
	Go       string      `json:"go"`
	OS       string      `json:"os"`
	Arch     string      `json:"arch"`
	Tables   []gameTable `json:"tables"`
}

// gameTable is a set of game data in the binary.
type gameTable struct {
	Name        string `json:"name"`         // of the game version, such as "26.2"
	DataVersion int    `json:"data_version"` // 4903 for 26.2
	Source      string `json:"source"`       // name and version of what it was made from
}

// gameTables lists the game data that this binary holds, newest first. A
// package that embeds a table adds it here.
func gameTables() []gameTable { return []gameTable{} }

func newVersionCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show version, commit and the game data in this binary",
		Args:  exactArgs(),
		RunE: func(*cobra.Command, []string) error {
			v := readVersion()
			return a.console.Result(v, v.writeText)
		},
	}
}

func readVersion() buildVersion {
	v := buildVersion{
		Version: version,
		Commit:  commit,
		Go:      runtime.Version(),
		OS:      runtime.GOOS,
		Arch:    runtime.GOARCH,
		Tables:  gameTables(),
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		v.fromBuildInfo(info)
	}
	if v.Version == "" {
		v.Version = "devel"
	}
	return v
}

// fromBuildInfo fills in what the linker was not told.
func (v *buildVersion) fromBuildInfo(info *debug.BuildInfo) {
	settings := map[string]string{}
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	if v.Version == "" && info.Main.Version != "(devel)" {
		v.Version = info.Main.Version
	}
	recorded := settings["vcs.revision"]
	if v.Commit == "" {
		v.Commit = recorded
	}
	if recorded == "" || recorded != v.Commit {
		return
	}
	if modified, ok := settings["vcs.modified"]; ok {
		dirty := modified == "true"
		v.Modified = &dirty
	}
	if at, err := time.Parse(time.RFC3339, settings["vcs.time"]); err == nil {
		v.Time = &at
	}
}

func (v buildVersion) writeText(w io.Writer) error {
	tree := v.Commit
	switch {
	case tree == "":
		tree = "not recorded in this build"
	case v.Modified == nil:
	case *v.Modified:
		tree += ", with changes"
	default:
		tree += ", unchanged"
	}
	if v.Time != nil {
		tree += ", " + v.Time.Format(time.RFC3339)
	}
	tables := "none in this build"
	if len(v.Tables) > 0 {
		var names []string
		for _, table := range v.Tables {
			names = append(names, fmt.Sprintf("%s (data version %d, from %s)", table.Name, table.DataVersion, table.Source))
		}
		tables = strings.Join(names, ", ")
	}
	_, err := fmt.Fprintf(w, "strata %s\n  commit       %s\n  built with   %s for %s/%s\n  game tables  %s\n",
		v.Version, tree, v.Go, v.OS, v.Arch, tables)
	return err
}
