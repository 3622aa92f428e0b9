package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"strata/anvil/block"
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
	Protocol    int    `json:"protocol"`     // 776 for 26.2
	Blocks      int    `json:"blocks"`
	BlockStates int    `json:"block_states"`
	Source      string `json:"source"` // name and version of what it was made from
}

// gameTables lists the game data that this binary holds, newest first. The
// tables of anvil/block and anvil/registry are of the same versions.
func gameTables() []gameTable {
	tables := []gameTable{}
	for _, t := range block.Tables() {
		tables = append(tables, gameTable{
			Name: t.Name, DataVersion: t.DataVersion, Protocol: t.Protocol,
			Blocks: t.Blocks, BlockStates: t.States, Source: block.Source,
		})
	}
	return tables
}

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
	if _, err := fmt.Fprintf(w, "strata %s\n  commit       %s\n  built with   %s for %s/%s\n",
		v.Version, tree, v.Go, v.OS, v.Arch); err != nil {
		return err
	}
	head := "game tables"
	for _, t := range v.Tables {
		if _, err := fmt.Fprintf(w, "  %-11s  %s: data version %d, protocol %d, %d blocks, %d states\n",
			head, t.Name, t.DataVersion, t.Protocol, t.Blocks, t.BlockStates); err != nil {
			return err
		}
		head = ""
	}
	_, err := fmt.Fprintf(w, "  %-11s  from %s\n", head, block.Source)
	return err
}
