package codec

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"strata/bench/testbed"
)

// The game reads chunks with java.util.zip and lz4-java, so these have the
// last word on whether a stream is sound.

// judge is a running Judge.java.
type judge struct {
	in     io.Writer
	out    *bufio.Reader
	stderr *bytes.Buffer
}

// startJudge skips, or fails under STRATA_MUST_RUN, without a JDK.
func startJudge(t *testing.T, classPath string) *judge {
	t.Helper()
	java := testbed.Tool(t, "java")
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	args := []string{"-Xshare:auto", "-XX:TieredStopAtLevel=1"}
	if classPath != "" {
		args = append(args, "-cp", classPath)
	}
	cmd := exec.CommandContext(ctx, java, append(args, filepath.Join("testdata", "Judge.java"))...)
	j := &judge{stderr: new(bytes.Buffer)}
	cmd.Stderr = j.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close() // the judge ends at the end of its input
		if err := cmd.Wait(); err != nil {
			t.Errorf("java: %v\n%s", err, j.stderr)
		}
		cancel()
	})
	j.in, j.out = in, bufio.NewReader(out)
	return j
}

func (j *judge) request(t *testing.T, s Scheme, stream []byte) {
	t.Helper()
	message := binary.BigEndian.AppendUint32([]byte{byte(s)}, uint32(len(stream)))
	if _, err := j.in.Write(append(message, stream...)); err != nil {
		t.Fatalf("java: %v\n%s", err, j.stderr)
	}
}

func (j *judge) int(t *testing.T) int32 {
	t.Helper()
	return int32(binary.BigEndian.Uint32(j.bytes(t, 4)))
}

func (j *judge) bytes(t *testing.T, n int) []byte {
	t.Helper()
	b := make([]byte, n)
	if _, err := io.ReadFull(j.out, b); err != nil {
		t.Fatalf("java: %v\n%s", err, j.stderr)
	}
	return b
}

// decode returns what Java says of a stream, and Java's own zlib stream of
// the payload.
func (j *judge) decode(t *testing.T, s Scheme, stream []byte) (size int, digest [32]byte, own []byte, err error) {
	t.Helper()
	j.request(t, s, stream)
	size = int(j.int(t))
	if size < 0 {
		n := binary.BigEndian.Uint16(j.bytes(t, 2))
		return 0, digest, nil, fmt.Errorf("java: %s", j.bytes(t, int(n)))
	}
	copy(digest[:], j.bytes(t, len(digest)))
	return size, digest, j.bytes(t, int(j.int(t))), nil
}

// check has Java decode e's stream of src, and our decoder Java's.
func (j *judge) check(t *testing.T, e *Encoder, d *Decoder, src []byte, what string) {
	t.Helper()
	size, digest, own, err := j.decode(t, e.Scheme(), encode(t, e, src))
	if err != nil || size != len(src) || digest != sha256.Sum256(src) {
		t.Errorf("%s: %d bytes of %d with another digest, or %v", what, size, len(src), err)
		return
	}
	if got, err := d.Append(nil, Zlib, own, len(src)+1); err != nil || !bytes.Equal(got, src) {
		t.Errorf("%s: Java's own stream: %d of %d bytes, %v", what, len(got), len(src), err)
	}
}

func TestJavaReadsEveryZlibAndGzipLevel(t *testing.T) {
	j := startJudge(t, "")
	inputs := payloads()
	inputs = append(inputs, chunks(t, max(4, fewer(15)))...)
	var d Decoder
	for _, kind := range encoders() {
		if kind.Scheme != Zlib && kind.Scheme != Gzip {
			continue
		}
		e := kind.new(t)
		for i, src := range inputs {
			if (kind.Level > 9 || reduced()) && i%4 != 0 {
				continue // these take long to encode
			}
			j.check(t, e, &d, src, fmt.Sprintf("%v, payload %d", kind, i))
		}
	}
}

// lz4Jar finds lz4-java: $STRATA_LZ4_JAR, or where Debian's liblz4-java puts
// it. The golden streams stand in for it where it is missing.
func lz4Jar(t *testing.T) string {
	t.Helper()
	for _, jar := range []string{os.Getenv("STRATA_LZ4_JAR"), "/usr/share/java/lz4-java.jar"} {
		if jar == "" {
			continue
		}
		if _, err := os.Stat(jar); err == nil {
			return jar
		}
	}
	testbed.SkipOrFail(t, "no lz4-java: set STRATA_LZ4_JAR or install liblz4-java")
	return ""
}

func TestJavaReadsLZ4(t *testing.T) {
	j := startJudge(t, lz4Jar(t))
	j.request(t, LZ4, nil)
	if j.int(t) != 1 {
		t.Fatal("the jar does not hold lz4-java's block stream")
	}
	e := encoderKind{LZ4, 0}.new(t)
	var d Decoder
	for i, src := range append(payloads(), chunks(t, 15)...) {
		j.check(t, e, &d, src, fmt.Sprint("payload ", i))
	}
	// What we call damage, the game's reader refuses as well.
	stream := encode(t, e, payloads()[9])
	for name, damaged := range map[string][]byte{
		"no end mark":         stream[:len(stream)-lz4HeaderSize],
		"checksum mismatch":   append(append(bytes.Clone(stream[:17]), stream[17]^1), stream[18:]...),
		"end mark with a sum": append(bytes.Clone(stream[:len(stream)-1]), 1),
		"cut body":            stream[:100],
	} {
		_, oursErr := d.Append(nil, LZ4, damaged, 0)
		if _, _, _, err := j.decode(t, LZ4, damaged); err == nil || oursErr == nil {
			t.Errorf("%s: Java says %v, we say %v", name, err, oursErr)
		}
	}
	if _, _, _, err := j.decode(t, LZ4, append(bytes.Clone(stream), "trailing"...)); err != nil {
		t.Errorf("trailing bytes, which we ignore: %v", err)
	}
}
