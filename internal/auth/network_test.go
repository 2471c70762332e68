package auth

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

func prefixes(list ...string) (all []netip.Prefix) {
	for _, p := range list {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}

// request returns a request from a peer, with pairs of header names and values.
func request(peer string, encrypted bool, header ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "http://site.test/", nil)
	if r.RemoteAddr = peer; encrypted {
		r.TLS = &tls.ConnectionState{}
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return r
}

const stranger, proxy = "198.51.100.7:4000", "10.0.0.1:4000"

func TestSecure(t *testing.T) {
	networks := map[string]*Network{
		"strict": {}, "open": {PlainHTTP: true}, "behind": {TrustedProxies: prefixes("10.0.0.0/8", "127.0.0.0/8", "::1/128")},
	}
	golden.Each(t, "secure.txt", func(about, network, peer string, encrypted bool, header []string, want bool) {
		golden.Equal(t, about, networks[network].Secure(request(peer, encrypted, header...)), want)
	})
}

func TestClient(t *testing.T) {
	networks := map[string]*Network{
		"strict": {}, "behind": {TrustedProxies: prefixes("10.0.0.0/8", "2001:db8:1::/48")},
		"own": {Address: func(r *http.Request) string { return r.Header.Get("X-Client") }},
	}
	golden.Each(t, "clients.txt", func(about, network, peer string, encrypted bool, header []string, want string) {
		golden.Equal(t, about, networks[network].Client(request(peer, encrypted, header...)), want)
	})
}

func FuzzNetwork(f *testing.F) {
	f.Add(proxy, "192.0.2.1, [::1]:80", `for="[::1]:80";proto=https, for=x`)
	f.Add("@", ",,", ";=;,")
	f.Fuzz(func(t *testing.T, peer, old, standard string) {
		r := request(peer, false, "X-Forwarded-For", old, "Forwarded", standard)
		strict := &Network{}
		if strict.Secure(r) {
			t.Error("a proxy that nobody trusts is secure")
		}
		if a, ok := peerOf(r); ok && strict.Client(r) != a.String() {
			t.Errorf("a stranger chooses its address: %s", strict.Client(r))
		}
		everybody := &Network{TrustedProxies: prefixes("0.0.0.0/0", "::/0")}
		if everybody.Client(r) == "" && peer != "" {
			t.Error("no client")
		}
	})
}
