package bench

import (
	"bufio"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// Environment says where and with what a report was made. Timings of two
// reports can be compared only if these agree; ratios within a report always.
type Environment struct {
	CPU        string    `json:"cpu"`   // model name, else the architecture
	Cores      int       `json:"cores"` // logical ones that this process may use
	GOMAXPROCS int       `json:"gomaxprocs"`
	OS         string    `json:"os"`
	Arch       string    `json:"arch"`
	Go         string    `json:"go"`
	Commit     string    `json:"commit"`    // "" if not recorded in the binary
	Modified   bool      `json:"modified"`  // built from a tree with changes
	CPUClock   string    `json:"cpu_clock"` // behind CPU times: "thread_cpu", or "wall" where there is none
	Time       time.Time `json:"time"`
}

// ReadEnvironment describes this process, now.
func ReadEnvironment() Environment {
	e := Environment{
		CPU:        cpuModel(),
		Cores:      runtime.NumCPU(),
		GOMAXPROCS: runtime.GOMAXPROCS(0),
		OS:         runtime.GOOS,
		Arch:       runtime.GOARCH,
		Go:         runtime.Version(),
		CPUClock:   threadClockKind,
		Time:       time.Now().UTC().Truncate(time.Second),
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				e.Commit = s.Value
			case "vcs.modified":
				e.Modified = s.Value == "true"
			}
		}
	}
	return e
}

// cpuModel reads what Linux says on x86; elsewhere the architecture has to do.
func cpuModel() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close() // read only: nothing to lose
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), ":")
		if strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
