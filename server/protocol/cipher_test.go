package protocol

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"strata/bench/testbed"
)

// The vector is F.3.7 of NIST SP 800-38A, with its key as key and its own
// first register.
func TestCipherGivesThePublishedVector(t *testing.T) {
	c, err := newCFB8(unhex(t, "2b7e151628aed2a6abf7158809cf4f3c"), false)
	if err != nil {
		t.Fatal(err)
	}
	copy(c.buffer[:], unhex(t, "000102030405060708090a0b0c0d0e0f"))
	got := unhex(t, "6bc1bee22e409f96e93d7e117393172aae2d")
	c.XORKeyStream(got, got)
	if want := unhex(t, "3b79424c9c0dd436bace9e0ed4586a4f32b9"); !bytes.Equal(got, want) {
		t.Errorf("got % x, want % x", got, want)
	}
}

func TestDecryptionBeginsInsideWhatWasReadAhead(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 4))
	secret := make([]byte, SecretSize)
	for i := range secret {
		secret[i] = byte(random.Uint32())
	}
	stream := mustFrame(t, nil, []byte("plain"), NoCompression)
	var secrets []byte
	for range 100 {
		secrets = mustFrame(t, secrets, bytes.Repeat([]byte("secret"), 1+random.IntN(200)), NoCompression)
	}
	encrypter, err := NewEncrypter(secret)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(secrets); {
		n := min(1+random.IntN(1000), len(secrets)-i)
		encrypter.XORKeyStream(secrets[i:i+n], secrets[i:i+n])
		i += n
	}
	for name, source := range map[string]*FrameReader{
		"whole":        NewFrameReader(bytes.NewReader(append(stream, secrets...)), MaxFrame),
		"byte by byte": NewFrameReader(iotest.OneByteReader(bytes.NewReader(append(stream, secrets...))), MaxFrame),
	} {
		if got, err := source.Next(); err != nil || string(got) != "plain" {
			t.Fatalf("%s: %q, error %v", name, got, err)
		}
		decrypter, err := NewDecrypter(secret)
		if err != nil {
			t.Fatal(err)
		}
		source.Decrypt(decrypter)
		for i := range 100 {
			if got, err := source.Next(); err != nil || !bytes.HasPrefix(got, []byte("secret")) {
				t.Fatalf("%s: frame %d: %.20q, error %v", name, i, got, err)
			}
		}
	}
}

func TestSecretsOfOtherSizesAreRefused(t *testing.T) {
	for _, n := range []int{0, 15, 17, 32} {
		if _, err := NewEncrypter(make([]byte, n)); err == nil {
			t.Errorf("a secret of %d bytes was taken", n)
		}
	}
}
