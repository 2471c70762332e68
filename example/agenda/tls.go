package main

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/agendahq/agenda/example/internal/cli"
)

// certificate is a TLS certificate that is read again when its files change, so that renewing it needs no restart.
type certificate struct {
	cert, key string // paths of the files
	log       *slog.Logger

	mu      sync.Mutex
	read    *tls.Certificate
	changed [2]time.Time // modification times of the files that were read
	failed  [2]time.Time // modification times of files that could not be used
}

// tlsConfig returns the TLS configuration, or nil if the server does not encrypt connections.
func (s *settings) tlsConfig(log *slog.Logger) (*tls.Config, error) {
	if (s.tlsCert == "") != (s.tlsKey == "") {
		return nil, cli.Usagef("--tls-cert and --tls-key go together: set both or neither")
	}
	if s.tlsCert == "" {
		return nil, nil
	}
	c := &certificate{cert: s.tlsCert, key: s.tlsKey, log: log}
	if err := c.load(); err != nil {
		return nil, cli.Usagef("--tls-cert %s, --tls-key %s: %w", s.tlsCert, s.tlsKey, err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}, nil
}

// get returns the certificate, after reading it again if its files have changed. If the files cannot be used, for
// instance while they are being replaced, it returns the previous certificate.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, err := c.times()
	if err == nil && now == c.changed {
		return c.read, nil
	}
	if err == nil {
		err = c.load()
	}
	if err != nil && (now != c.failed || now == [2]time.Time{}) {
		c.failed = now
		c.log.Warn("the new certificate cannot be used: the previous one stays in use", "error", err)
	}
	return c.read, nil
}

// load reads the files.
func (c *certificate) load() error {
	now, err := c.times()
	if err != nil {
		return err
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	c.read, c.changed = &pair, now
	return nil
}

// times returns the modification times of the files.
func (c *certificate) times() (at [2]time.Time, err error) {
	for i, file := range []string{c.cert, c.key} {
		info, err := os.Stat(file)
		if err != nil {
			return [2]time.Time{}, err
		}
		at[i] = info.ModTime()
	}
	return at, nil
}
