package protocol

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
)

// SecretSize is the size of the secret that client and server share, in bytes.
const SecretSize = 16

// cfb8 is the AES cipher in 8-bit feedback mode: each byte is XORed with the
// first byte of the encrypted register, which holds the 16 bytes of output
// before it. The standard library has no such mode.
type cfb8 struct {
	block   cipher.Block
	decrypt bool
	// register is a window of 16 bytes that moves through the buffer, so that
	// it is copied once in a while and not for each byte.
	buffer [16 * 33]byte
	at     int
	out    [16]byte
}

var _ cipher.Stream = (*cfb8)(nil)

// NewEncrypter returns the cipher of what is sent after the key exchange. The
// secret is both the key and the first register.
func NewEncrypter(secret []byte) (cipher.Stream, error) { return newCFB8(secret, false) }

// NewDecrypter returns the cipher of what is received after it.
func NewDecrypter(secret []byte) (cipher.Stream, error) { return newCFB8(secret, true) }

func newCFB8(secret []byte, decrypt bool) (*cfb8, error) {
	if len(secret) != SecretSize {
		return nil, fmt.Errorf("secret of %d bytes, want %d", len(secret), SecretSize)
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	c := &cfb8{block: block, decrypt: decrypt}
	copy(c.buffer[:], secret)
	return c, nil
}

// XORKeyStream encrypts or decrypts src into dst, which may be src.
func (c *cfb8) XORKeyStream(dst, src []byte) {
	for i, in := range src {
		if c.at == len(c.buffer)-SecretSize {
			copy(c.buffer[:SecretSize], c.buffer[c.at:])
			c.at = 0
		}
		c.block.Encrypt(c.out[:], c.buffer[c.at:c.at+SecretSize])
		out := in ^ c.out[0]
		dst[i] = out
		if c.decrypt {
			out = in
		}
		c.buffer[c.at+SecretSize] = out
		c.at++
	}
}
