package auth

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
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
	strict := &Network{}
	behind := &Network{TrustedProxies: prefixes("10.0.0.0/8", "127.0.0.0/8", "::1/128")}
	for about, c := range map[string]struct {
		network *Network
		request *http.Request
		want    bool
	}{
		"plain":                     {strict, request(stranger, false), false},
		"encrypted":                 {strict, request(stranger, true), true},
		"encrypted, spoofed header": {strict, request(stranger, true, "X-Forwarded-Proto", "http"), true},
		"plain is allowed":          {&Network{PlainHTTP: true}, request(stranger, false), true},
		"spoofed header":            {strict, request(stranger, false, "X-Forwarded-Proto", "https"), false},
		"spoofed standard header":   {strict, request(stranger, false, "Forwarded", "proto=https"), false},
		"spoofed header, other proxies": {behind, request(stranger, false, "X-Forwarded-Proto", "https", "Forwarded", "proto=https"),
			false},
		"loopback":                             {strict, request("127.0.0.1:4000", false), true},
		"loopback, IPv6":                       {strict, request("[::1]:4000", false), true},
		"loopback, mapped":                     {strict, request("[::ffff:127.0.0.1]:4000", false), true},
		"a proxy on loopback":                  {strict, request("127.0.0.1:4000", false, "X-Forwarded-For", "198.51.100.7"), false},
		"a proxy on loopback that says https":  {strict, request("127.0.0.1:4000", false, "X-Forwarded-Proto", "https"), false},
		"a proxy on loopback, other header":    {strict, request("127.0.0.1:4000", false, "Via", "1.1 x"), false},
		"a proxy on loopback, real ip":         {strict, request("127.0.0.1:4000", false, "X-Real-IP", ""), false},
		"a proxy on loopback, standard header": {strict, request("[::1]:4000", false, "Forwarded", "for=x"), false},
		"trusted on loopback, no header":       {behind, request("127.0.0.1:4000", false), true},
		"trusted on loopback, no scheme":       {behind, request("127.0.0.1:4000", false, "X-Forwarded-For", "198.51.100.7"), false},
		"trusted on loopback, https":           {behind, request("127.0.0.1:4000", false, "X-Forwarded-Proto", "https"), true},
		"trusted, no scheme":                   {behind, request(proxy, false, "X-Forwarded-For", "198.51.100.7"), false},
		"trusted, no scheme, encrypted":        {behind, request(proxy, true, "X-Forwarded-For", "198.51.100.7"), true},
		"trusted, https":                       {behind, request(proxy, false, "X-Forwarded-Proto", "HTTPS"), true},
		"trusted, http":                        {behind, request(proxy, false, "X-Forwarded-Proto", "http"), false},
		"trusted, http, encrypted from there":  {behind, request(proxy, true, "X-Forwarded-Proto", "http"), false},
		"trusted, mapped":                      {behind, request("[::ffff:10.0.0.1]:4000", false, "X-Forwarded-Proto", "https"), true},
		"trusted, two legs":                    {behind, request(proxy, false, "X-Forwarded-Proto", "https, https"), true},
		"trusted, one plain leg": {behind, request(proxy, false, "X-Forwarded-Proto", "https", "X-Forwarded-Proto", "http"),
			false},
		"trusted, one plain leg first":    {behind, request(proxy, false, "X-Forwarded-Proto", "http,https"), false},
		"trusted, standard header":        {behind, request(proxy, false, "Forwarded", `for=198.51.100.7;Proto="https";by=x`), true},
		"trusted, standard header, plain": {behind, request(proxy, false, "Forwarded", "for=198.51.100.7; proto=http"), false},
		"trusted, headers differ": {behind, request(proxy, false, "Forwarded", "proto=https", "X-Forwarded-Proto", "http"),
			false},
		"trusted, nonsense":     {behind, request(proxy, false, "X-Forwarded-Proto", "yes"), false},
		"no address":            {behind, request("@", false, "X-Forwarded-Proto", "https"), false},
		"no address, encrypted": {strict, request("", true), true},
	} {
		if got := c.network.Secure(c.request); got != c.want {
			t.Errorf("%s: %v", about, got)
		}
	}
}

func TestClient(t *testing.T) {
	strict := &Network{}
	behind := &Network{TrustedProxies: prefixes("10.0.0.0/8", "2001:db8:1::/48")}
	own := &Network{Address: func(r *http.Request) string { return r.Header.Get("X-Client") }}
	const old, standard = "X-Forwarded-For", "Forwarded"
	for about, c := range map[string]struct {
		network *Network
		request *http.Request
		want    string
	}{
		"a stranger": {strict, request(stranger, false), "198.51.100.7"},
		"IPv6":       {strict, request("[2001:db8::1%eth0]:4000", false), "2001:db8::1"},
		"mapped":     {strict, request("[::ffff:198.51.100.7]:4000", false), "198.51.100.7"},
		"a spoof": {strict,
			request(stranger, true, old, "192.0.2.1", standard, "for=192.0.2.1", "X-Real-IP", "192.0.2.1"), "198.51.100.7"},
		"a spoof, other proxies":  {behind, request(stranger, true, old, "10.0.0.2"), "198.51.100.7"},
		"a proxy without a word":  {behind, request(proxy, false), "10.0.0.1"},
		"a client":                {behind, request(proxy, false, old, "192.0.2.1"), "192.0.2.1"},
		"a client that lies":      {behind, request(proxy, false, old, "203.0.113.9, 192.0.2.1"), "192.0.2.1"},
		"two proxies":             {behind, request(proxy, false, old, "203.0.113.9, 192.0.2.1,10.3.2.1"), "192.0.2.1"},
		"two proxies, two lines":  {behind, request(proxy, false, old, "192.0.2.1", old, "10.3.2.1"), "192.0.2.1"},
		"proxies all the way":     {behind, request(proxy, false, old, "10.1.1.1, 10.3.2.1"), "10.1.1.1"},
		"with ports":              {behind, request(proxy, false, old, "192.0.2.1:99, [2001:db8:1::2]:80"), "192.0.2.1"},
		"brackets":                {behind, request(proxy, false, old, "[2001:db8:9::2]"), "2001:db8:9::2"},
		"nonsense":                {behind, request(proxy, false, old, "192.0.2.1, unknown"), "10.0.0.1"},
		"nonsense before a proxy": {behind, request(proxy, false, old, "_hidden, 10.3.2.1"), "10.3.2.1"},
		"an empty word":           {behind, request(proxy, false, old, ""), "10.0.0.1"},
		"standard": {behind, request(proxy, false, standard, `for=203.0.113.9, For="[2001:db8:9::2]:47";proto=https`),
			"2001:db8:9::2"},
		"standard, two proxies": {behind, request(proxy, false, standard, "for=192.0.2.1;by=x", standard, "for=10.9.9.9"),
			"192.0.2.1"},
		"standard, a hop without word": {behind, request(proxy, false, standard, "for=192.0.2.1, proto=https"), "10.0.0.1"},
		"standard, none says it":       {behind, request(proxy, false, standard, "proto=https", old, "192.0.2.1"), "192.0.2.1"},
		"both agree":                   {behind, request(proxy, false, standard, "for=192.0.2.1", old, "192.0.2.1"), "192.0.2.1"},
		"both differ":                  {behind, request(proxy, false, standard, "for=192.0.2.1", old, "192.0.2.2"), "10.0.0.1"},
		"a Unix socket":                {behind, request("@", false, old, "192.0.2.1"), "@"},
		"the host knows":               {own, request(stranger, false, "X-Client", "somebody"), "somebody"},
		"the host does not know":       {own, request(stranger, false), "198.51.100.7"},
	} {
		if got := c.network.Client(c.request); got != c.want {
			t.Errorf("%s: %s, want %s", about, got, c.want)
		}
	}
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
