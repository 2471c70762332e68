package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// certify writes a certificate for 127.0.0.1 and its key, each with a different modification time, and returns the
// certificate.
func certify(t *testing.T, cert, key string, serial int64) *x509.Certificate {
	t.Helper()
	private := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	der := must.Get(x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"town.example"}, IsCA: true, BasicConstraintsValid: true,
	}, &x509.Certificate{SerialNumber: big.NewInt(serial)}, private.Public(), private))(t)
	secret := must.Get(x509.MarshalPKCS8PrivateKey(private))(t)
	writeTestFile(t, cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	writeTestFile(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	for _, file := range []string{cert, key} {
		at := time.Now().Add(time.Duration(serial) * time.Minute)
		must.Succeed(t, os.Chtimes(file, at, at))
	}
	return must.Get(x509.ParseCertificate(der))(t)
}

func TestConnectionsAreEncrypted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	trusted := x509.NewCertPool()
	trusted.AddCert(certify(t, cert, key, 1))
	host := freeAddress(t)
	var out output
	program(t, &out, "--addr", host, "--data", ":memory:", "--demo=false", "--tls-cert", cert, "--tls-key", key)
	until(t, &out, `API (https://[^/ ]+/wp-json)/vendor`)
	ask := func(newest uint16) (*http.Response, error) {
		transport := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{
			RootCAs: trusted, ServerName: "town.example", MaxVersion: newest,
		}}
		defer transport.CloseIdleConnections()
		r := must.Get(http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+host+"/wp-json/vendor/events/v1/events", nil))(t)
		resp, err := transport.RoundTrip(r)
		if err == nil {
			resp.Body.Close()
		}
		return resp, err
	}
	serial := func() int64 {
		t.Helper()
		resp := must.Get(ask(0))(t)
		if resp.StatusCode != http.StatusOK || resp.ProtoMajor != 2 || resp.TLS.Version != tls.VersionTLS13 {
			t.Errorf("%d %s, TLS %x", resp.StatusCode, resp.Proto, resp.TLS.Version)
		}
		return resp.TLS.PeerCertificates[0].SerialNumber.Int64()
	}
	golden.Equal(t, "certificate", serial(), 1)
	if resp, err := ask(tls.VersionTLS11); err == nil {
		t.Errorf("TLS 1.1 is taken: %v", resp.Status)
	}
	trusted.AddCert(certify(t, cert, key, 2))
	golden.Equal(t, "after a renewal: certificate", serial(), 2)
	writeTestFile(t, key, "half a key")
	for range 2 {
		golden.Equal(t, "while it is being replaced: certificate", serial(), 2)
	}
	if n := strings.Count(out.String(), "cannot be used: the previous one stays in use"); n != 1 {
		t.Errorf("%d warnings: %s", n, &out)
	}
	trusted.AddCert(certify(t, cert, key, 3))
	golden.Equal(t, "after another renewal: certificate", serial(), 3)
	for want, args := range map[string][]string{
		"set both or neither":           {"--tls-cert", cert},
		"--tls-key " + key + "er: stat": {"--tls-cert", cert, "--tls-key", key + "er"},
	} {
		mistake(t, strings.NewReplacer(), want, append([]string{"--data", ":memory:", "--addr", "127.0.0.1:0"}, args...)...)
	}
}
