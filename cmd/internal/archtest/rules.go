package archtest

// module is the path of the root module.
const module = "strata"

// topLevel are the names that may stand in the root, beside dot-files.
var topLevel = []string{
	"region", "nbt", "anvil", "pregen", "backup", "server", "cmd", "bench",
	"go.mod", "go.sum", "README.md", "LICENSE", "CHANGELOG.md",
}

// ignored are names in the root that git ignores.
var ignored = []string{"bin"}

// rule says what the packages of one folder may import beside the standard
// library and their own folder. The rule of the longest folder counts.
type rule struct {
	folder   string
	own      []string // packages of ours, with all below them
	packages []string // packages of ours, without those below them
	external []string // modules of others; nil: any that is not in cmdOnly
	alone    bool     // not even the rest of its own folder
}

var rules = []rule{
	{folder: "nbt", external: []string{}},
	{folder: "region", external: []string{
		"github.com/klauspost/compress", "github.com/cespare/xxhash/v2", "github.com/pierrec/lz4/v4", "golang.org/x/sys",
	}},
	{folder: "anvil", own: []string{"nbt", "region"}},
	{folder: "pregen", own: []string{"nbt", "region", "anvil"}},
	{folder: "pregen/worldgen/oracletest", own: []string{"nbt", "region", "anvil", "pregen", "bench/testbed"}},
	{folder: "pregen/worldgen/feature/featuretest", own: []string{"nbt", "region", "anvil", "pregen", "bench/testbed"}},
	{folder: "pregen/worldgen/structure/structuretest", own: []string{"nbt", "region", "anvil", "pregen", "bench/testbed"}},
	{folder: "backup", own: []string{"nbt", "region", "anvil"}},
	// Of region the server sees types and errors: chunks go through
	// anvil/store. It never sees backup: cmd hands it a Snapshotter.
	{folder: "server", own: []string{"nbt", "anvil", "pregen"}, packages: []string{"region", "region/vfs"}},
	{folder: "bench", own: []string{"nbt", "region", "anvil", "pregen", "backup", "server"}},
	{folder: "bench/testbed", external: []string{}, alone: true},
	{folder: "cmd", own: []string{"nbt", "region", "anvil", "pregen", "backup", "server", "bench"}, external: anyModule},
}

// anyModule allows every module in go.mod.
var anyModule = []string{""}

// cmdOnly are modules for flags and terminals, which belong to cmd alone.
var cmdOnly = []string{
	"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/vbauerster/mpb/v8", "golang.org/x/term",
}

// testsOnly are what only tests import: linked into the product they would
// bring the testing package along.
var testsOnly = []string{
	module + "/bench/testbed", module + "/bench/clients", module + "/pregen/worldgen/oracletest",
	module + "/pregen/worldgen/feature/featuretest", module + "/pregen/worldgen/structure/structuretest", "testing", "github.com/google/go-cmp", "github.com/rogpeppe/go-internal",
}

// testSupport are packages that only tests import, and may use testsOnly.
var testSupport = []string{
	"bench/testbed", "bench/clients", "pregen/worldgen/oracletest",
	"pregen/worldgen/feature/featuretest", "pregen/worldgen/structure/structuretest",
}

// noPackage are names that say nothing of what a package is for.
var noPackage = []string{"util", "utils", "common", "helper", "helpers"}

// machineTexts are paths of development machines and addresses of package
// registries. They are in two parts so that this file does not hold them.
var machineTexts = []string{
	"/wor" + "k/", "/roo" + "t/", "/tm" + "p/",
	"proxy." + "golang.org", "sum." + "golang.org", "registry." + "npmjs.org",
	"deb." + "debian.org", "security." + "debian.org", "py" + "pi.org", "crates" + ".io",
}
