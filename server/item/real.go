package item

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"sync"

	"strata/nbt"
)

const (
	// realKey is the member of custom data under which a client is given what
	// the stack that it is shown stands for.
	realKey = "strata:real"
	// maxReal bounds that, in bytes of NBT.
	maxReal = 1 << 13
	// sealBytes is how long the proof is that the server made it.
	sealBytes = 16
)

// sealKey is another one in each process. Without a seal a client could make
// up stacks that no conversion has looked at.
var sealKey = sync.OnceValue(func() []byte {
	k := make([]byte, sha256.Size)
	_, _ = rand.Read(k) // never fails: see its documentation
	return k
})

func seal(data []byte) []byte {
	mac := hmac.New(sha256.New, sealKey())
	mac.Write(data)
	return mac.Sum(nil)[:sealBytes]
}

// withReal returns custom data that carries the stack: bytes, as the client
// would write the members of a compound in another order.
func withReal(data any, s Stack) any {
	members, ok := data.(nbt.Compound)
	if data != nil && !ok {
		return data // damaged
	}
	one := s.WithCount(1).NBT().Data
	if len(one) > maxReal {
		return data
	}
	members = append(nbt.Compound{}, members...)
	members.Set(realKey, append(seal(one), one...))
	return members
}

// realOf returns what a shown stack carries, or the stack. What the server did
// not seal is dropped.
func realOf(s Stack) Stack {
	raw, ok := s.Component(customData)
	if !ok {
		return s
	}
	members, _ := generic(raw).(nbt.Compound)
	value, ok := members.Get(realKey)
	if !ok {
		return s
	}
	carried, _ := value.([]byte)
	if len(carried) > sealBytes && hmac.Equal(carried[:sealBytes], seal(carried[sealBytes:])) {
		r, err := Parse(nbt.Raw{Type: nbt.TypeCompound, Data: carried[sealBytes:]})
		if err == nil && !r.Empty() {
			return r.WithCount(s.Count)
		}
	}
	if members.Delete(realKey); len(members) == 0 {
		return s.Reset(customData)
	}
	return s.With(customData, rawOf(members))
}
