package store

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"
)

// Bounds of the default memory limit: a quarter of what the container or the
// machine has, but a store that could not hold some hundred chunks would
// thrash, and clean chunks beyond a few gigabytes are seldom asked for again.
const (
	minMemory     = 64 << 20
	maxMemory     = 4 << 30
	unknownMemory = 2 << 30 // where the system does not tell
)

func defaultMemory(read func(string) ([]byte, error)) int64 {
	return min(max(containerMemory(read)/4, minMemory), maxMemory)
}

// containerMemory is the memory that this process may use in bytes: the least
// of the control groups' limits (version 2 or 1) and the physical memory.
func containerMemory(read func(string) ([]byte, error)) int64 {
	limit := int64(0)
	lower := func(n int64) {
		if n > 0 && (limit == 0 || n < limit) {
			limit = n
		}
	}
	lower(meminfo(read))
	v2, v1 := groups(read)
	for dir := v2; dir != ""; dir = parent(dir) {
		lower(numberIn(read, path.Join("/sys/fs/cgroup", dir, "memory.max")))
	}
	for dir := v1; dir != ""; dir = parent(dir) {
		lower(numberIn(read, path.Join("/sys/fs/cgroup/memory", dir, "memory.limit_in_bytes")))
	}
	if limit == 0 {
		return unknownMemory
	}
	return limit
}

// parent is the group above; a limit there binds as well.
func parent(dir string) string {
	if dir == "/" {
		return ""
	}
	return path.Dir(dir)
}

// groups are the paths of our control groups of either version, "" if none.
func groups(read func(string) ([]byte, error)) (v2, v1 string) {
	data, err := read("/proc/self/cgroup")
	if err != nil {
		return "", ""
	}
	for line := range strings.Lines(string(data)) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, dir, ok := strings.Cut(rest, ":")
		switch {
		case !ok || !strings.HasPrefix(dir, "/"):
		case id == "0" && controllers == "":
			v2 = path.Clean(dir)
		case strings.Contains(","+controllers+",", ",memory,"):
			v1 = path.Clean(dir)
		}
	}
	return v2, v1
}

// numberIn reads a file with one number in it; 0 if there is none ("max").
func numberIn(read func(string) ([]byte, error), name string) int64 {
	data, err := read(name)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func meminfo(read func(string) ([]byte, error)) int64 {
	data, err := read("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		if len(words) >= 2 && words[0] == "MemTotal:" {
			n, err := strconv.ParseInt(words[1], 10, 64)
			if err != nil || n > 1<<50 {
				return 0
			}
			return n << 10
		}
	}
	return 0
}

var systemMemory = func() int64 { return defaultMemory(os.ReadFile) }
