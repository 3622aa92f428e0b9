package protocol

import (
	"crypto/sha1"
	"math/big"
)

// ServerDigest is what the session service knows a login by: SHA-1 of the
// server's id, the shared secret and the server's public key, as a signed number
// in hex. Client and server each tell it to the service.
func ServerDigest(serverID string, secret, publicKey []byte) string {
	h := sha1.New()
	h.Write([]byte(serverID))
	h.Write(secret)
	h.Write(publicKey)
	return signedHex(h.Sum(nil))
}

func signedHex(sum []byte) string {
	n := new(big.Int).SetBytes(sum)
	if sum[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(sum))))
	}
	return n.Text(16)
}
