package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"

	"strata/region/vfs"
)

// The environment variables for SFTP.
const (
	envPassword   = "STRATA_SFTP_PASSWORD" //nolint:gosec // the name of a variable
	envKey        = "STRATA_SSH_KEY"
	envKnownHosts = "STRATA_SSH_KNOWN_HOSTS"
)

const sshTimeout = 30 * time.Second

// sftpStore is a Store on another machine.
type sftpStore struct {
	client *sftp.Client
	conn   *ssh.Client
	agent  io.Closer // nil without one
	dir    string
	name   string
}

func openSFTP(ctx context.Context, u *url.URL, create bool) (Store, error) {
	if _, has := u.User.Password(); has || u.Hostname() == "" || u.User.Username() == "" || u.RawQuery != "" {
		return nil, fmt.Errorf("sftp takes a user, a host and a path, and a password from %s: %w", envPassword, ErrAddress)
	}
	s := &sftpStore{name: u.String(), dir: path.Clean("/" + u.Path)}
	if rest, ok := strings.CutPrefix(s.dir, "/~"); ok && (rest == "" || rest[0] == '/') {
		s.dir = path.Clean("." + rest)
	}
	if err := s.connect(ctx, u); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.name, err), s.Close())
	}
	info, err := s.client.Stat(s.dir)
	if errors.Is(err, fs.ErrNotExist) && create {
		if err = s.client.MkdirAll(s.dir); err == nil {
			info, err = s.client.Stat(s.dir)
		}
	}
	if err == nil && !info.IsDir() {
		err = errors.New("no folder")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.name, err), s.Close())
	}
	return s, nil
}

func (s *sftpStore) connect(ctx context.Context, u *url.URL) error {
	home, _ := os.UserHomeDir() // "" has no files
	hosts := os.Getenv(envKnownHosts)
	if hosts == "" {
		hosts = filepath.Join(home, ".ssh", "known_hosts")
	}
	known, err := knownhosts.New(hosts)
	if err != nil {
		return fmt.Errorf("the host's key cannot be checked: %w", err)
	}
	methods, err := s.methods(home)
	if err != nil {
		return err
	}
	port := u.Port()
	if port == "" {
		port = "22"
	}
	address := net.JoinHostPort(u.Hostname(), port)
	d := net.Dialer{Timeout: sshTimeout}
	tcp, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	conn, channels, requests, err := ssh.NewClientConn(tcp, address, &ssh.ClientConfig{
		User: u.User.Username(), Auth: methods, HostKeyCallback: known, HostKeyAlgorithms: algorithmsFor(known, address), Timeout: sshTimeout,
	})
	if err != nil {
		err = errors.Join(err, tcp.Close())
		if strings.Contains(err.Error(), "unable to authenticate") {
			err = fmt.Errorf("%w: %w", ErrLogin, err)
		}
		return err
	}
	s.conn = ssh.NewClient(conn, channels, requests)
	s.client, err = sftp.NewClient(s.conn, sftp.UseFstat(true))
	return err
}

// algorithmsFor are those of the keys that known_hosts has of a host: without
// saying so another one may be offered, and refused.
func algorithmsFor(known ssh.HostKeyCallback, address string) (algorithms []string) {
	err := known(address, &net.TCPAddr{}, unknownKey{})
	if has, ok := errors.AsType[*knownhosts.KeyError](err); ok {
		for _, k := range has.Want {
			if kind := k.Key.Type(); kind == ssh.KeyAlgoRSA {
				algorithms = append(algorithms, ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256)
			} else {
				algorithms = append(algorithms, kind)
			}
		}
	}
	return algorithms
}

// unknownKey is a key that no host has.
type unknownKey struct{}

func (unknownKey) Type() string                        { return "none" }
func (unknownKey) Marshal() []byte                     { return []byte("none") }
func (unknownKey) Verify([]byte, *ssh.Signature) error { return errors.New("no key") }

// methods are the ways to log in that there are here.
func (s *sftpStore) methods(home string) ([]ssh.AuthMethod, error) {
	var signers []ssh.Signer
	names := []string{os.Getenv(envKey)}
	if names[0] == "" {
		names = nil
		for _, name := range []string{"id_ed25519", "id_ecdsa", "id_rsa"} {
			names = append(names, filepath.Join(home, ".ssh", name))
		}
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) && os.Getenv(envKey) == "" {
			continue
		}
		var signer ssh.Signer
		if err == nil {
			signer, err = ssh.ParsePrivateKey(data)
		}
		if _, locked := errors.AsType[*ssh.PassphraseMissingError](err); locked {
			continue // the agent has it
		}
		if err != nil {
			return nil, fmt.Errorf("key %s: %w", name, err)
		}
		signers = append(signers, signer)
	}
	var methods []ssh.AuthMethod
	if len(signers) > 0 {
		methods = append(methods, ssh.PublicKeys(signers...))
	}
	if socket := os.Getenv("SSH_AUTH_SOCK"); socket != "" {
		if conn, err := net.Dial("unix", socket); err == nil {
			s.agent = conn
			methods = append(methods, ssh.PublicKeysCallback(agent.NewClient(conn).Signers))
		}
	}
	if password := os.Getenv(envPassword); password != "" {
		methods = append(methods, ssh.Password(password))
	}
	return methods, nil
}

func (s *sftpStore) String() string { return s.name }

func (s *sftpStore) Close() error {
	var errs []error
	if s.client != nil {
		errs = append(errs, s.client.Close())
	}
	if s.conn != nil {
		if err := s.conn.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	if s.agent != nil {
		errs = append(errs, s.agent.Close())
	}
	return errors.Join(errs...)
}

func (s *sftpStore) path(name string) string { return path.Join(s.dir, name) }

func (s *sftpStore) List(ctx context.Context, f func(string, int64) error) error {
	return s.walk(ctx, "", func(name string, bytes int64) error {
		if isTemporary(name) {
			return nil
		}
		return f(name, bytes)
	})
}

func (s *sftpStore) walk(ctx context.Context, dir string, f func(string, int64) error) error {
	entries, err := s.client.ReadDirContext(ctx, s.path(dir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			err = s.walk(ctx, name, f)
		case e.Mode().IsRegular():
			err = f(name, e.Size())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *sftpStore) Put(ctx context.Context, name string, bytes int64, r io.Reader) (err error) {
	if err := checkName(name); err != nil {
		return err
	}
	to := s.path(name)
	if err := s.client.MkdirAll(path.Dir(to)); err != nil {
		return err
	}
	temporary := path.Join(path.Dir(to), vfs.TempPrefix+path.Base(to))
	file, err := s.client.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			s.client.Remove(temporary) //nolint:errcheck // Sweep does, if the line is dead
		}
	}()
	_, err = file.ReadFrom(&boundReader{ctx, exactly(r, bytes)})
	if err == nil {
		// OpenSSH has that; where it is missing the other side's word must do.
		if syncErr := file.Sync(); syncErr != nil && !unsupported(syncErr) {
			err = syncErr
		}
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	info, err := s.client.Stat(temporary)
	if err == nil && info.Size() != bytes {
		err = fmt.Errorf("%d bytes arrived of %d", info.Size(), bytes)
	}
	if err != nil {
		return err
	}
	err = s.client.PosixRename(temporary, to)
	if unsupported(err) {
		if err = s.client.Remove(to); err == nil || errors.Is(err, fs.ErrNotExist) {
			err = s.client.Rename(temporary, to)
		}
	}
	return err
}

func unsupported(err error) bool {
	status, ok := errors.AsType[*sftp.StatusError](err)
	return ok && status.FxCode() == sftp.ErrSSHFxOpUnsupported
}

func (s *sftpStore) Get(_ context.Context, name string) (io.ReadCloser, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	return s.client.Open(s.path(name))
}

func (s *sftpStore) Remove(_ context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	err := s.client.Remove(s.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (s *sftpStore) Sweep(ctx context.Context) error {
	var left []string
	err := s.walk(ctx, "", func(name string, _ int64) error {
		if isTemporary(name) {
			left = append(left, name)
		}
		return nil
	})
	for _, name := range left {
		if err == nil {
			err = s.client.Remove(s.path(name))
		}
	}
	return err
}
