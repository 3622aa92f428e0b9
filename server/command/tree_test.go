package command

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"strata/anvil/registry"
	"strata/bench/testbed"
	"strata/server/protocol"
)

// reported is a node of the game's own report of its commands.
type reported struct {
	Type       string
	Parser     string
	Properties map[string]any
	Executable bool
	Redirect   []string
	Children   map[string]*reported
	Permission struct {
		Permission struct{ Level string }
	} `json:"permissions"`
}

// readReport unpacks the report of a version from the shared material.
func readReport(t *testing.T, archive string) *reported {
	t.Helper()
	path := testbed.Shared(t, "reference", archive)
	plain, err := exec.CommandContext(t.Context(), testbed.Tool(t, "zstd"), "-dcq", path).Output()
	if err != nil {
		t.Fatalf("unpack %s: %v", path, err)
	}
	files := tar.NewReader(bytes.NewReader(plain))
	for {
		h, err := files.Next()
		if err != nil {
			t.Fatalf("%s has no commands: %v", path, err)
		}
		if strings.HasSuffix(h.Name, "reports/commands.json") {
			break
		}
	}
	data, err := io.ReadAll(files)
	if err != nil {
		t.Fatal(err)
	}
	var r reported
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// own are the commands that the game does not have.
var own = []string{"backup", "memory", "pregen", "tps"}

// absent are the children of nodes that we leave out, by path.
var absent = []string{
	"execute store", "execute on", "execute summon", "item modify", "locate poi",
	"execute if data", "execute if function", "execute if items", "execute if predicate", "execute if score", "execute if stopwatch",
	"execute unless data", "execute unless function", "execute unless items", "execute unless predicate", "execute unless score",
	"execute unless stopwatch",
	"item replace block pos slot from", "item replace entity targets slot from",
}

func TestTreeIsTheGamesTree(t *testing.T) {
	for _, v := range []struct {
		archive string
		version registry.Version
	}{{"vanilla-reports-26.2.tar.zst", registry.V26_2}, {"vanilla-generated-26.1.2.tar.zst", registry.V26_1}} {
		t.Run(v.archive, func(t *testing.T) {
			root := readReport(t, v.archive)
			d := New(newFake().host())
			compared := 0
			for _, n := range d.root.children {
				if slices.Contains(own, n.name) {
					continue
				}
				theirs := root.Children[n.name]
				if theirs == nil {
					t.Errorf("the game has no command %q", n.name)
					continue
				}
				levels := map[string]int{"": 0, "moderators": 1, "gamemasters": 2, "admins": 3, "owners": 4}
				if want := levels[theirs.Permission.Permission.Level]; n.level != want {
					t.Errorf("%s: level %d, want %d", n.name, n.level, want)
				}
				compareNodes(t, n.name, n, theirs, &compared)
			}
			if compared < 500 {
				t.Errorf("compared %d nodes only", compared)
			}
			t.Logf("%d nodes compared", compared)
		})
	}
}

func compareNodes(t *testing.T, path string, n *node, want *reported, compared *int) {
	t.Helper()
	*compared++
	if got := n.run != nil; got != want.Executable {
		t.Errorf("%s: executable %v", path, got)
	}
	if got, ok := describe(n), describeReport(want); got != ok {
		t.Errorf("%s: is %s, want %s", path, got, ok)
	}
	if len(want.Redirect) == 1 {
		if n.redirect == nil || n.redirect.name != want.Redirect[0] {
			t.Errorf("%s: does not redirect to %s", path, want.Redirect[0])
		}
		return
	}
	seen := map[string]bool{}
	for _, c := range n.children {
		seen[c.name] = true
		if theirs := want.Children[c.name]; theirs != nil {
			compareNodes(t, path+" "+c.name, c, theirs, compared)
		} else {
			t.Errorf("%s: the game has no %s", path, c.name)
		}
	}
	for name := range want.Children {
		if !seen[name] && !slices.Contains(absent, path+" "+name) {
			t.Errorf("%s: lacks %s", path, name)
		}
	}
}

func describe(n *node) string {
	if n.arg == nil {
		return "literal"
	}
	var w protocol.CommandNode
	n.arg.describe(&w)
	p := w.Properties
	s := parserNames[w.Parser]
	switch w.Parser {
	case protocol.ParserInteger, protocol.ParserFloat, protocol.ParserDouble:
		if p.Min.Present {
			s += fmt.Sprintf(" min=%g", float32(p.Min.Value))
		}
		if p.Max.Present {
			s += fmt.Sprintf(" max=%g", float32(p.Max.Value))
		}
	case protocol.ParserString:
		s += " " + []string{"word", "phrase", "greedy"}[p.Text]
	case protocol.ParserEntity:
		s += fmt.Sprintf(" single=%v players=%v", p.Single, p.PlayersOnly)
	case protocol.ParserTime:
		s += fmt.Sprintf(" min=%g", float32(p.MinTicks))
	}
	if p.Registry != "" {
		s += " " + p.Registry
	}
	return s
}

func describeReport(r *reported) string {
	if r.Type == "literal" {
		return "literal"
	}
	s := strings.TrimPrefix(r.Parser, "minecraft:")
	if b, ok := strings.CutPrefix(s, "brigadier:"); ok {
		s = b
	}
	switch s {
	case "string":
		return "brigadier:string " + r.Properties["type"].(string)
	case "entity":
		return fmt.Sprintf("minecraft:entity single=%v players=%v", r.Properties["amount"] == "single", r.Properties["type"] == "players")
	}
	s = r.Parser
	for _, key := range []string{"min", "max"} {
		if f, ok := r.Properties[key].(float64); ok {
			s += fmt.Sprintf(" %s=%g", key, float32(f))
		}
	}
	if k, ok := r.Properties["registry"].(string); ok {
		s += " " + k
	}
	return s
}

func TestTreePacketSurvivesTheWireInBothVersions(t *testing.T) {
	d := New(newFake().host())
	for _, v := range []registry.Version{registry.V26_1, registry.V26_2} {
		last := 0
		for level := range 5 {
			p := d.Tree(level, v)
			if p != d.Tree(level, v) {
				t.Error("tree is built again")
			}
			if len(p.Nodes) < last || level == 4 && len(p.Nodes) < 600 {
				t.Errorf("level %d has %d nodes, one below %d", level, len(p.Nodes), last)
			}
			last = len(p.Nodes)
			var w protocol.Writer
			if err := protocol.EncodePacket(&w, v, registry.Play, registry.Clientbound, p); err != nil {
				t.Fatal(err)
			}
			for i, n := range p.Nodes {
				for _, c := range n.Children {
					if c <= 0 || int(c) >= len(p.Nodes) {
						t.Fatalf("node %d names %d", i, c)
					}
				}
			}
		}
	}
	for _, n := range d.Tree(0, registry.V26_2).Nodes {
		if n.Name == "op" || n.Name == "gamemode" {
			t.Errorf("everybody sees %s", n.Name)
		}
	}
}

// parserNames are the game's names of the parsers of our arguments.
var parserNames = map[protocol.CommandParser]string{
	protocol.ParserBool: "brigadier:bool", protocol.ParserFloat: "brigadier:float",
	protocol.ParserInteger: "brigadier:integer", protocol.ParserString: "brigadier:string",
	protocol.ParserEntity: "minecraft:entity", protocol.ParserGameProfile: "minecraft:game_profile",
	protocol.ParserBlockPos: "minecraft:block_pos", protocol.ParserVec3: "minecraft:vec3",
	protocol.ParserBlockState: "minecraft:block_state", protocol.ParserBlockPredicate: "minecraft:block_predicate",
	protocol.ParserItemStack: "minecraft:item_stack", protocol.ParserItemPredicate: "minecraft:item_predicate",
	protocol.ParserComponent: "minecraft:component", protocol.ParserMessage: "minecraft:message",
	protocol.ParserNBTCompoundTag: "minecraft:nbt_compound_tag", protocol.ParserRotation: "minecraft:rotation",
	protocol.ParserSwizzle: "minecraft:swizzle", protocol.ParserItemSlot: "minecraft:item_slot",
	protocol.ParserResourceLocation: "minecraft:resource_location", protocol.ParserEntityAnchor: "minecraft:entity_anchor",
	protocol.ParserDimension: "minecraft:dimension", protocol.ParserGamemode: "minecraft:gamemode",
	protocol.ParserTime: "minecraft:time", protocol.ParserResourceOrTag: "minecraft:resource_or_tag",
	protocol.ParserResourceOrTagKey: "minecraft:resource_or_tag_key", protocol.ParserResource: "minecraft:resource",
	protocol.ParserHeightmap: "minecraft:heightmap",
}
