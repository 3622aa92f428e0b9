package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"strata/bench/testbed"
)

// readers are the commands that promise to write nothing, as arguments for a
// world. A world that is damaged makes them say so.
var readers = [][]string{
	{"world", "info", "WORLD"},
	{"world", "info", "WORLD", "--deep", "--json"},
	{"world", "chunks", "WORLD", "--where", "inhabited >= 0", "--columns", "x,z,status"},
	{"world", "fsck", "WORLD"},
	{"world", "fsck", "WORLD", "--json", "--all"},
	{"world", "fsck", "WORLD", "--repair", "--dry-run"},
}

// buildStrata builds the command as it is given out.
func buildStrata(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "strata")
	build := exec.CommandContext(t.Context(), testbed.Tool(t, "go"), "build", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return binary
}

// writeCalls are the system calls that change files.
const writeCalls = "open,openat,openat2,creat,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,fallocate,fsync,fdatasync," +
	"sync_file_range,copy_file_range,sendfile,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,mknod,mknodat,link,linkat," +
	"symlink,symlinkat,chmod,fchmod,fchmodat,chown,fchown,fchownat,lchown,utime,utimes,futimesat,utimensat,setxattr,lsetxattr,fsetxattr"

// readingOpen is a call that opens a file for reading alone.
var readingOpen = regexp.MustCompile(`open(at2?)?\(.*\bO_RDONLY\b`)

// writesTo runs a command under strace and returns the calls that change, or
// may change, something below a folder.
func writesTo(t *testing.T, folder string, command ...string) (calls []string) {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace")
	args := append([]string{"-f", "-qq", "-y", "-s", "4096", "-e", "signal=none", "-e", "trace=" + writeCalls, "-o", trace}, command...)
	out, err := exec.CommandContext(t.Context(), testbed.Tool(t, "strace"), args...).CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	data, err := os.ReadFile(trace)
	if err != nil {
		testbed.SkipOrFail(t, "strace does not run here: %s", out)
	}
	for line := range strings.Lines(string(data)) {
		reads := readingOpen.MatchString(line) && !strings.Contains(line, "O_CREAT") && !strings.Contains(line, "O_TRUNC")
		// The rest of a call that another thread interrupts says nothing new, and
		// the program's own output may name the folder.
		if strings.Contains(line, folder) && !reads && !strings.Contains(line, " resumed>") && !strings.Contains(line, " write(1<") && !strings.Contains(line, " write(2<") {
			calls = append(calls, strings.TrimSpace(line))
		}
	}
	return calls
}

func commandFor(binary, world string, args []string) []string {
	command := []string{binary}
	for _, arg := range args {
		if arg == "WORLD" {
			arg = world
		}
		command = append(command, arg)
	}
	return command
}

func TestReadersDoNotWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	world := sampleWorld(t, "world-26.2")
	binary := buildStrata(t)
	t.Run("read-only mount", func(t *testing.T) { readOnlyMount(t, binary, world) })
	t.Run("system calls", func(t *testing.T) { noWritingCalls(t, binary, world) })
	t.Run("regions without access", func(t *testing.T) { regionsWithoutAccess(t, binary, sampleWorld(t, "world-26.2")) })
}

func noWritingCalls(t *testing.T, binary, world string) {
	testbed.Tool(t, "strace")
	damageWorld(t, world)
	for _, args := range readers {
		if calls := writesTo(t, world, commandFor(binary, world, args)...); len(calls) > 0 {
			t.Errorf("%v: %d calls, such as %s", args, len(calls), calls[0])
		}
	}
	// Without this the test could not fail.
	if calls := writesTo(t, world, binary, "world", "fsck", world, "--repair", "--yes"); len(calls) < 10 {
		t.Errorf("a repair makes %d calls: they are not seen", len(calls))
	}
}

func readOnlyMount(t *testing.T, binary, world string) {
	unshare := testbed.Tool(t, "unshare")
	if os.Geteuid() != 0 {
		testbed.SkipOrFail(t, "mounting takes root")
	}
	const script = `mount --make-rprivate / && mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99
w=$1; shift
if touch "$w/x" 2>/dev/null; then exit 98; fi
exec "$@"`
	for _, args := range readers {
		command := append([]string{"-m", "sh", "-c", script, "sh", world}, commandFor(binary, world, args)...)
		run := exec.CommandContext(t.Context(), unshare, command...)
		out, err := run.CombinedOutput()
		switch code := run.ProcessState.ExitCode(); {
		case code == 99 || code == 1 && strings.Contains(string(out), "unshare"):
			t.Skipf("mounting is not allowed here: %s", out)
		case err != nil:
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
}
