package main

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"strata/cmd/internal/ui"
)

// backupJSON runs a command with --json and decodes its result.
func backupJSON[T any](t *testing.T, want ui.Code, args ...string) (v T) {
	t.Helper()
	code, out, errText := runPlain(t, append(args, "--json")...)
	if code != want {
		t.Fatalf("%q: exit %d, want %d: %s", args, code, want, errText)
	}
	if out == "" && want != ui.OK {
		return v
	}
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatalf("%q: %v: %s", args, err, out)
	}
	return v
}

// createdJSON has the names that scripts may rely on.
type createdJSON struct {
	ID          string
	Chunks      *int64
	NewChunks   *int64 `json:"new_chunks"`
	NewBytes    *int64 `json:"new_bytes"`
	LinkedBytes *int64 `json:"linked_bytes"`
	ClonedBytes *int64 `json:"cloned_bytes"`
	CopiedBytes *int64 `json:"copied_bytes"`
	Consistency string
	Suspect     []string
}

func mustCreate(t *testing.T, args ...string) createdJSON {
	t.Helper()
	c := backupJSON[createdJSON](t, ui.OK, append([]string{"backup", "create"}, args...)...)
	if c.ID == "" || c.Chunks == nil || c.NewChunks == nil || c.NewBytes == nil || c.LinkedBytes == nil || c.ClonedBytes == nil || c.CopiedBytes == nil {
		t.Fatalf("%q: %+v", args, c)
	}
	return c
}

// forTargets runs a test with a repository of each target and a real world.
func forTargets(t *testing.T, f func(t *testing.T, target, repo, world string)) {
	for _, target := range []string{"repo", "tree"} {
		t.Run(target, func(t *testing.T) {
			world, repo := sampleWorld(t, "world-26.2"), filepath.Join(t.TempDir(), "repo")
			mustRun(t, "backup", "init", repo, "--target", target)
			t.Cleanup(func() { makeWritable(repo) })
			f(t, target, repo, world)
		})
	}
}

// makeWritable lets the folders of a tree be removed.
func makeWritable(dir string) {
	filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			err = os.Chmod(path, 0o755)
		}
		return err
	})
}

func TestBackupFromFirstToLast(t *testing.T) {
	forTargets(t, func(t *testing.T, target, repo, world string) {
		first := mustCreate(t, repo, world, "--tag", "first")
		if *first.Chunks != 1118 || first.Consistency != "epoch" {
			t.Errorf("first: %d chunks, %s", *first.Chunks, first.Consistency)
		}
		again := mustCreate(t, repo, world)
		if *again.NewChunks != 0 || *again.CopiedBytes > 0 || *again.LinkedBytes == 0 {
			t.Errorf("again: %d new chunks, %d bytes copied, %d linked", *again.NewChunks, *again.CopiedBytes, *again.LinkedBytes)
		}
		mustRun(t, "world", "delete", world, "--where", "x > 0 and dimension == 'minecraft:overworld'", "--yes", "--no-undo")
		left := mustCreate(t, repo, world, "--protect", "--expires", "7d")

		list := backupJSON[[]struct {
			ID        string
			Protected bool
			Tags      []string
			Expires   *time.Time
		}](t, ui.OK, "backup", "list", repo)
		if len(list) != 3 || list[0].ID != first.ID || list[0].Tags[0] != "first" || !list[2].Protected || list[2].Expires == nil {
			t.Errorf("list: %+v", list)
		}
		if out := mustRun(t, "backup", "show", repo, "latest", "--files"); !strings.Contains(out, left.ID) || !strings.Contains(out, "r.2.2.mca") {
			t.Errorf("show: %s", out)
		}
		diff := backupJSON[struct{ Created, Deleted, Modified, Equal int64 }](t, ui.OK, "backup", "diff", repo, first.ID, "latest")
		if diff.Deleted != *first.Chunks-*left.Chunks || diff.Deleted == 0 || diff.Equal != *left.Chunks || diff.Created+diff.Modified != 0 {
			t.Errorf("diff: %+v of %d and %d chunks", diff, *first.Chunks, *left.Chunks)
		}
		if code, _, errText := runPlain(t, "backup", "diff", repo, "latest", world, "--exit-code"); code != ui.OK {
			t.Errorf("diff with the world: exit %d: %s", code, errText)
		}
		x, z := chunkOf(t, repo, first.ID, t.TempDir())
		blame := backupJSON[[]struct{ Snapshot, Class string }](t, ui.OK, "backup", "blame", repo, x+","+z)
		if len(blame) == 0 || blame[len(blame)-1].Snapshot != first.ID || blame[len(blame)-1].Class != "created" {
			t.Errorf("blame: %+v", blame)
		}
		restoreAll(t, repo, first.ID, *first.Chunks)
		exportAll(t, repo, first.ID)
		copyAll(t, target, repo)
		pruneAll(t, target, repo, first.ID, left.ID)
		if code, _, errText := runPlain(t, "backup", "verify", repo); code != ui.OK {
			t.Errorf("verify: exit %d: %s", code, errText)
		}
	})
}

// chunkOf is the position of a chunk of the overworld with x > 0.
func chunkOf(t *testing.T, repo, id, dir string) (x, z string) {
	t.Helper()
	to := filepath.Join(dir, "w")
	mustRun(t, "backup", "restore", repo, id, "--to", to)
	out := mustRun(t, "world", "chunks", to, "--dimension", "overworld", "--where", "x > 0", "--columns", "x,z", "--format", "csv", "--limit", "1")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	x, z, ok := strings.Cut(lines[len(lines)-1], ",")
	if !ok {
		t.Fatalf("chunks: %s", out)
	}
	return x, z
}

func restoreAll(t *testing.T, repo, id string, chunks int64) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "world")
	r := backupJSON[struct{ Chunks, Files int64 }](t, ui.OK, "backup", "restore", repo, id, "--to", to)
	if r.Chunks != chunks || r.Files == 0 {
		t.Errorf("restored: %+v", r)
	}
	if code, _, errText := runPlain(t, "backup", "diff", repo, id, to, "--exit-code"); code != ui.OK {
		t.Errorf("the restored world differs: exit %d: %s", code, errText)
	}
	if code, _, _ := runPlain(t, "backup", "restore", repo, id, "--to", to); code != ui.Usage {
		t.Errorf("into a folder that is not empty: exit %d", code)
	}
	// A part in place, of a world that has lost everything else.
	mustRun(t, "world", "delete", to, "--where", "true", "--yes", "--no-undo")
	if code, _, _ := runPlain(t, "backup", "restore", repo, id, "--in-place", to); code != ui.Usage {
		t.Errorf("in place without --yes: exit %d", code)
	}
	part := backupJSON[struct {
		Chunks int64
		Kept   string
	}](t, ui.OK, "backup", "restore", repo, id, "--in-place", to, "--dimension", "the_nether", "--yes")
	if part.Chunks != 7 || part.Kept == "" {
		t.Errorf("the nether in place: %+v", part)
	}
	d := backupJSON[struct{ Deleted, Equal int64 }](t, ui.OK, "backup", "diff", repo, id, to)
	if d.Equal != 7 || d.Deleted != chunks-7 {
		t.Errorf("after that: %+v", d)
	}
}

func exportAll(t *testing.T, repo, id string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"w.zip", "w.tar", "w.tar.gz", "w.tar.zst"} {
		r := backupJSON[struct {
			Files   int64
			Bytes   int64
			Archive int64 `json:"archive_bytes"`
		}](t, ui.OK, "backup", "export", repo, id, filepath.Join(dir, name))
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() != r.Archive || r.Files < 20 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	if code, _, _ := runPlain(t, "backup", "export", repo, id, filepath.Join(dir, "w.zip")); code != ui.Usage {
		t.Errorf("over a file: exit %d", code)
	}
	if code, _, _ := runPlain(t, "backup", "export", repo, id, filepath.Join(dir, "w.rar")); code != ui.Usage {
		t.Errorf("an unknown kind: exit %d", code)
	}
	z, err := zip.OpenReader(filepath.Join(dir, "w.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	found := false
	for _, f := range z.File {
		r, err := f.Open()
		if err == nil {
			_, err = io.Copy(io.Discard, r)
			r.Close()
		}
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		found = found || strings.HasSuffix(f.Name, "overworld/region/r.2.2.mca")
	}
	if !found {
		t.Error("the archive has no region file")
	}
}

func copyAll(t *testing.T, target, repo string) {
	t.Helper()
	to, back := filepath.Join(t.TempDir(), "copy"), filepath.Join(t.TempDir(), "back")
	t.Cleanup(func() { makeWritable(to); makeWritable(back) })
	code, out, errText := runPlain(t, "backup", "copy", repo, to, "--check", "--json")
	if target == "tree" && code == ui.Usage {
		return // said to be for repositories of chunks
	}
	var r struct {
		Files, Copied int64
		Checked       bool
		Differences   []any
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != ui.OK || r.Copied == 0 || r.Copied != r.Files || !r.Checked || r.Differences == nil {
		t.Fatalf("copy: exit %d, %v: %s%s", code, err, out, errText)
	}
	mustRun(t, "backup", "copy", back, to, "--fetch")
	if code, _, errText := runPlain(t, "backup", "verify", back); code != ui.OK {
		t.Errorf("verify of what was fetched: exit %d: %s", code, errText)
	}
}

func pruneAll(t *testing.T, target, repo, first, protected string) {
	t.Helper()
	type plan struct {
		Keep   []struct{ ID string }
		Forget []struct{ ID string }
		Freed  int64 `json:"freed_bytes"`
		DryRun bool  `json:"dry_run"`
	}
	p := backupJSON[plan](t, ui.OK, "backup", "prune", repo, "--keep-last", "1", "--dry-run")
	if len(p.Forget) < 2 || !p.DryRun {
		t.Errorf("a dry run: %+v", p)
	}
	if code, _, _ := runPlain(t, "backup", "prune", repo, "--keep-last", "1"); code != ui.Usage {
		t.Errorf("without --yes: exit %d", code)
	}
	if code, _, _ := runPlain(t, "backup", "prune", repo, "--forget", protected, "--yes"); code != ui.Usage {
		t.Errorf("a protected one: exit %d", code)
	}
	p = backupJSON[plan](t, ui.OK, "backup", "prune", repo, "--keep-last", "1", "--threshold", "100", "--yes")
	ids := map[string]bool{}
	for _, s := range backupJSON[[]struct{ ID string }](t, ui.OK, "backup", "list", repo) {
		ids[s.ID] = true
	}
	if ids[first] || !ids[protected] || target == "repo" && p.Freed <= 0 {
		t.Errorf("%v are left, %d bytes given back", ids, p.Freed)
	}
	mustRun(t, "backup", "mark", repo, protected, "--unprotect", "--tag", "old")
	mustRun(t, "backup", "prune", repo, "--forget", protected, "--yes")
	if code, _, _ := runPlain(t, "backup", "show", repo, protected); code != ui.Missing {
		t.Errorf("a snapshot that was forgotten: exit %d", code)
	}
}

func TestBackupExitCodes(t *testing.T) {
	dir, world := t.TempDir(), sampleWorld(t, "world-26.2")
	repo := filepath.Join(dir, "repo")
	mustRun(t, "backup", "init", repo)
	for _, c := range []struct {
		args string
		want ui.Code
	}{
		{"init REPO", ui.Usage}, {"init REPO --target disk", ui.Usage}, {"init NEW --target tree --semantic", ui.Usage},
		{"list NONE", ui.Missing}, {"create NONE WORLD", ui.Missing}, {"create REPO NONE", ui.Missing},
		{"show REPO latest", ui.Missing}, {"create REPO WORLD --keep-last 3", ui.Usage}, {"create REPO WORLD --expires 7d", ui.Usage},
		{"create REPO WORLD --rcon 127.0.0.1:1", ui.Usage}, {"create REPO WORLD --exclude [", ui.Usage},
		{"create REPO WORLD --schedule never", ui.Usage}, {"prune REPO --keep-last -2", ui.Usage}, {"prune REPO --max-size many", ui.Usage},
		{"restore REPO latest", ui.Usage}, {"restore REPO latest --to NEW --chunks 1", ui.Usage}, {"restore REPO latest --to NEW --player me", ui.Usage},
		{"restore REPO latest --to NEW --region 1,2 --file x", ui.Usage}, {"blame REPO here", ui.Usage}, {"mark REPO latest", ui.Usage},
		{"copy REPO ftp://host", ui.Usage}, {"copy NEW NONE --fetch", ui.Missing}, {"copy REPO NEW --fetch --check", ui.Usage},
	} {
		args := []string{"backup"}
		for _, arg := range strings.Fields(c.args) {
			path := map[string]string{"REPO": repo, "WORLD": world, "NONE": filepath.Join(dir, "none"), "NEW": filepath.Join(dir, "new")}[arg]
			if path != "" {
				arg = path
			}
			args = append(args, arg)
		}
		if code, _, errText := runPlain(t, args...); code != c.want {
			t.Errorf("backup %s: exit %d, want %d: %s", c.args, code, c.want, errText)
		}
	}
}

func TestEncryptedBackups(t *testing.T) {
	dir, world := t.TempDir(), sampleWorld(t, "world-26.2")
	repo, file := filepath.Join(dir, "repo"), filepath.Join(dir, "passphrase")
	if err := os.WriteFile(file, []byte("correct horse\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := runPlain(t, "backup", "init", repo, "--encrypt"); code != ui.Usage {
		t.Errorf("without a passphrase: exit %d", code)
	}
	mustRun(t, "backup", "init", repo, "--encrypt", "--passphrase-file", file)
	mustCreate(t, repo, world, "--passphrase-file", file)
	if code, _, _ := runPlain(t, "backup", "list", repo); code != ui.WrongKey {
		t.Errorf("list without a key: exit %d", code)
	}
	t.Setenv(envPassphrase, "wrong")
	if code, _, _ := runPlain(t, "backup", "list", repo); code != ui.WrongKey {
		t.Errorf("list with a wrong one: exit %d", code)
	}
	t.Setenv(envPassphrase, "correct horse")
	mustRun(t, "backup", "verify", repo)
	mustRun(t, "backup", "restore", repo, "latest", "--to", filepath.Join(dir, "back"))
}

// A chunk that is damaged in the world comes back from the repository.
func TestRepairFromARepository(t *testing.T) {
	forTargets(t, func(t *testing.T, _, repo, world string) {
		mustCreate(t, repo, world)
		damageWorld(t, world)
		mustCreate(t, repo, world) // the damaged ones are kept as they are
		code, out, errText := runPlain(t, "world", "fsck", world, "--repair", "--from", repo, "--yes", "--json")
		if code != ui.OK || !strings.Contains(out, `"take"`) {
			t.Fatalf("exit %d: %s%.2000s", code, errText, out)
		}
		list := backupJSON[[]struct{ ID string }](t, ui.OK, "backup", "list", repo)
		d := backupJSON[struct{ Modified, Deleted, Created int64 }](t, ui.OK, "backup", "diff", repo, list[0].ID, world)
		if d.Modified+d.Deleted+d.Created != 0 {
			t.Errorf("after the repair: %+v", d)
		}
		if code, _, _ := runPlain(t, "world", "fsck", sampleWorld(t, "world-26.2"), "--repair", "--from", repo, "--yes"); code != ui.Missing {
			t.Errorf("snapshots of another world: exit %d", code)
		}
	})
}

func TestSuspectSnapshotsExitWithProblems(t *testing.T) {
	forTargets(t, func(t *testing.T, _, repo, world string) {
		mustCreate(t, repo, world)
		mustRun(t, "world", "delete", world, "--where", "true", "--yes", "--no-undo")
		c := backupJSON[createdJSON](t, ui.Problems, "backup", "create", repo, world)
		if len(c.Suspect) == 0 {
			t.Errorf("not marked: %+v", c)
		}
	})
}

// lockedOut is a streams' writer that several goroutines may use.
type lockedOut struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedOut) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lockedOut) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func TestScheduledSnapshots(t *testing.T) {
	world, repo := sampleWorld(t, "world-26.2"), filepath.Join(t.TempDir(), "repo")
	mustRun(t, "backup", "init", repo)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, errText lockedOut
	done := make(chan ui.Code, 1)
	go func() {
		done <- run(ctx, []string{"backup", "create", repo, world, "--schedule", "@every 1s", "--keep-last", "2", "--json"}, ui.Streams{
			In: strings.NewReader(""), Out: &out, Err: &errText, Getenv: func(string) string { return "" },
		})
	}()
	for ctx.Err() == nil && strings.Count(out.String(), `"consistency"`) < 4 {
		time.Sleep(20 * time.Millisecond)
	}
	cancel()
	if code := <-done; code != ui.Interrupted {
		t.Fatalf("exit %d: %s", code, errText.String())
	}
	list := backupJSON[[]struct{ Reason string }](t, ui.OK, "backup", "list", repo)
	if len(list) < 2 || len(list) > 3 || list[0].Reason != "scheduled" {
		t.Errorf("%d snapshots are left: %+v: %s", len(list), list, errText.String())
	}
}
