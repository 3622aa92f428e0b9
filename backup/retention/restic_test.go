package retention

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/crypto/poly1305" //nolint:staticcheck // restic's format has it
	"golang.org/x/crypto/scrypt"

	"strata/bench/testbed"
)

// resticRepo is a repository of restic's format 1 with snapshots alone, made
// here so that it can hold any times, and with a key that is cheap to open.
type resticRepo struct {
	t    *testing.T
	dir  string
	tool string
	key  resticKey
}

// resticKey has the keys of AES-256-CTR and of Poly1305-AES.
type resticKey struct {
	encrypt [32]byte
	k, r    [16]byte
}

const resticPassword = "retention"

func newResticRepo(t *testing.T) *resticRepo {
	t.Helper()
	p := &resticRepo{t: t, dir: t.TempDir(), tool: testbed.Tool(t, "restic")}
	for _, folder := range []string{"data", "index", "keys", "locks", "snapshots"} {
		if err := os.MkdirAll(filepath.Join(p.dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	random(p.key.encrypt[:])
	random(p.key.k[:])
	random(p.key.r[:])
	var salt [64]byte
	random(salt[:])
	const n, r, parallel = 2, 1, 1
	derived, err := scrypt.Key([]byte(resticPassword), salt[:], n, r, parallel, 64)
	if err != nil {
		t.Fatal(err)
	}
	user := resticKey{encrypt: [32]byte(derived), k: [16]byte(derived[32:]), r: [16]byte(derived[48:])}
	master := object{"mac": object{"k": p.key.k[:], "r": p.key.r[:]}, "encrypt": p.key.encrypt[:]}
	p.write("keys", p.json(object{
		"kdf": "scrypt", "N": n, "r": r, "p": parallel, "salt": salt[:], "created": "2026-01-01T00:00:00Z",
		"username": "u", "hostname": "h", "data": user.seal(p.json(master)),
	}))
	config := p.key.seal(p.json(object{"version": 1, "id": hex.EncodeToString(salt[:32]), "chunker_polynomial": "3da3358b4dc173"}))
	if err := os.WriteFile(filepath.Join(p.dir, "config"), config, 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

type object map[string]any

func (p *resticRepo) json(v any) []byte {
	p.t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		p.t.Fatal(err)
	}
	return data
}

func random(b []byte) { rand.Read(b) }

// seal encrypts as restic does: the nonce, the text, and the tag of that.
func (k *resticKey) seal(text []byte) []byte {
	out := make([]byte, 16, 16+len(text)+16)
	random(out)
	block, err := aes.NewCipher(k.encrypt[:])
	if err != nil {
		panic(err)
	}
	out = append(out, text...)
	cipher.NewCTR(block, out[:16]).XORKeyStream(out[16:], out[16:])
	block, err = aes.NewCipher(k.k[:])
	if err != nil {
		panic(err)
	}
	var key [32]byte
	copy(key[:16], k.r[:])
	block.Encrypt(key[16:], out[:16])
	var tag [16]byte
	poly1305.Sum(&tag, out[16:], &key)
	return append(out, tag[:]...)
}

// write adds a file by its digest and returns its name.
func (p *resticRepo) write(folder string, data []byte) string {
	p.t.Helper()
	sum := sha256.Sum256(data)
	name := hex.EncodeToString(sum[:])
	if err := os.WriteFile(filepath.Join(p.dir, folder, name), data, 0o600); err != nil {
		p.t.Fatal(err)
	}
	return name
}

// add makes a snapshot and returns its id.
func (p *resticRepo) add(at time.Time, tags []string) string {
	p.t.Helper()
	return p.write("snapshots", p.key.seal(p.json(object{
		"time": at.Format(time.RFC3339Nano), "tree": fmt.Sprintf("%064d", 1),
		"paths": []string{"/w"}, "hostname": "h", "username": "u", "tags": tags,
	})))
}

// forget asks restic which of the snapshots it would keep.
func (p *resticRepo) forget(args ...string) (keep, remove map[string]bool) {
	p.t.Helper()
	args = append([]string{"forget", "--dry-run", "--json", "--no-cache", "--no-lock", "--group-by", "", "--repo", p.dir}, args...)
	run := exec.CommandContext(p.t.Context(), p.tool, args...)
	run.Env = append(os.Environ(), "RESTIC_PASSWORD="+resticPassword)
	var complaints bytes.Buffer
	run.Stderr = &complaints
	out, err := run.Output()
	if err != nil {
		p.t.Fatalf("%q: %v: %s", args, err, complaints.String())
	}
	var groups []struct{ Keep, Remove []struct{ ID string } }
	if err := json.Unmarshal(out, &groups); err != nil || len(groups) != 1 {
		p.t.Fatalf("%q: %d groups, %v: %s", args, len(groups), err, out)
	}
	keep, remove = map[string]bool{}, map[string]bool{}
	for _, s := range groups[0].Keep {
		keep[s.ID] = true
	}
	for _, s := range groups[0].Remove {
		remove[s.ID] = true
	}
	return keep, remove
}
