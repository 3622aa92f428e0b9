package backup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"filippo.io/age"

	"strata/backup/pack"
	"strata/region/vfs"
)

// keyName is the file with the key that everything is sealed with, itself sealed
// to the passphrase or the recipients: so many packs take one slow derivation.
const (
	keyName = "key"
	maxKey  = 1 << 20
)

// sealer seals with age.
type sealer struct{ key *age.X25519Identity }

var _ pack.Sealer = (*sealer)(nil)

// Seal implements pack.Sealer.
func (s *sealer) Seal(dst io.Writer) (io.WriteCloser, error) {
	return age.Encrypt(dst, s.key.Recipient())
}

// Unseal implements pack.Sealer.
func (s *sealer) Unseal(src io.ReaderAt, size int64) (io.ReaderAt, int64, error) {
	r, n, err := age.DecryptReaderAt(src, size, s.key)
	if err != nil {
		// The key is the repository's, so it is the bytes that are wrong.
		return nil, 0, fmt.Errorf("%w: sealed: %s", pack.ErrDamaged, err)
	}
	return &sealedReader{r}, n, nil
}

// sealedReader makes what does not authenticate damage.
type sealedReader struct{ io.ReaderAt }

// ReadAt implements io.ReaderAt.
func (r *sealedReader) ReadAt(b []byte, off int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(b, off)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: sealed: %s", pack.ErrDamaged, err)
	}
	return n, err
}

// makeKey makes the key of a new repository.
func makeKey(fsys vfs.FS, dir string, o InitOptions) (*age.X25519Identity, error) {
	var to []age.Recipient
	if o.Passphrase != "" {
		if len(o.Recipients) > 0 {
			return nil, fmt.Errorf("a passphrase or recipients, not both: %w", ErrOptions)
		}
		r, err := age.NewScryptRecipient(o.Passphrase)
		if err != nil {
			return nil, fmt.Errorf("passphrase: %w: %s", ErrOptions, err)
		}
		to = append(to, r)
	}
	for _, text := range o.Recipients {
		r, err := age.ParseX25519Recipient(text)
		if err != nil {
			return nil, fmt.Errorf("recipient: %w: %s", ErrOptions, err)
		}
		to = append(to, r)
	}
	key, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, err
	}
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, to...)
	if err != nil {
		return nil, fmt.Errorf("seal the key: %s", err)
	}
	if _, err := io.WriteString(w, key.String()); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return key, vfs.WriteFileSync(fsys, filepath.Join(dir, keyName), sealed.Bytes(), 0o600)
}

// openKey opens the key of a repository. The error wraps ErrWrongKey.
func openKey(fsys vfs.FS, dir string, o OpenOptions) (*sealer, error) {
	if o.key != nil {
		return &sealer{o.key}, nil
	}
	data, err := vfs.ReadFile(fsys, filepath.Join(dir, keyName), maxKey)
	if err != nil {
		return nil, fmt.Errorf("key: %w", err)
	}
	var with []age.Identity
	if o.Passphrase != "" {
		i, err := age.NewScryptIdentity(o.Passphrase)
		if err != nil {
			return nil, fmt.Errorf("passphrase: %w: %s", ErrWrongKey, err)
		}
		with = append(with, i)
	}
	for _, text := range o.Identities {
		i, err := age.ParseX25519Identity(text)
		if err != nil {
			return nil, fmt.Errorf("identity: %w: %s", ErrWrongKey, err)
		}
		with = append(with, i)
	}
	if len(with) == 0 {
		return nil, fmt.Errorf("the repository is encrypted and there is no key: %w", ErrWrongKey)
	}
	r, err := age.Decrypt(bytes.NewReader(data), with...)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrWrongKey, err)
	}
	text, err := io.ReadAll(io.LimitReader(r, maxKey))
	if err != nil {
		return nil, fmt.Errorf("key: %w: %s", ErrDamaged, err)
	}
	key, err := age.ParseX25519Identity(string(text))
	if err != nil {
		return nil, fmt.Errorf("key: %w: %s", ErrDamaged, err)
	}
	return &sealer{key}, nil
}
