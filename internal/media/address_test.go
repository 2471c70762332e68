package media

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

func TestPublic(t *testing.T) {
	for _, s := range strings.Fields(`8.8.8.8 1.1.1.1 93.184.216.34 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0
		126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0
		198.17.255.255 198.20.0.0 223.255.255.255 2606:4700::1111 2a00:1450:4001::1 2001:200::1 2003::1`) {
		if !Public(netip.MustParseAddr(s)) {
			t.Errorf("%s is public", s)
		}
	}
	for _, s := range strings.Fields(`0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255
		127.0.0.1 127.255.255.255 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1
		192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1
		239.255.255.255 240.0.0.1 255.255.255.255
		:: ::1 ::7f00:1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8 64:ff9b::7f00:1 64:ff9b::8.8.8.8
		64:ff9b:1::1 100::1 2001::1 2001:0:1234::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::1
		2002:808:808::1 3fff::1 3fff:fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 febf::1 fec0::1 feff::1 ff02::1
		2606:4700::1111%eth0 fe80::1%eth0`) {
		if Public(netip.MustParseAddr(s)) {
			t.Errorf("%s is not public", s)
		}
	}
	if Public(netip.Addr{}) {
		t.Error("no address is not public")
	}
}

// TestURLs checks what is rejected before a name is resolved.
func TestURLs(t *testing.T) {
	f := &Fetcher{}
	golden.Each(t, "urls.txt", func(raw, want string) {
		if _, err := f.parse(raw); reason(err) != want {
			t.Errorf("%.60q: %q, want %q", raw, reason(err), want)
		}
	})
	if _, err := f.parse("http://x/" + strings.Repeat("a", 5000)); reason(err) != reasonURL {
		t.Errorf("a long URL: %v", err)
	}
}

func TestLiteralAddress(t *testing.T) {
	for _, host := range []string{"::1%", "1:2", "127.1", "0x7f000001"} {
		if _, _, err := literalAddress(host); reason(err) != reasonAddress {
			t.Errorf("%s: %v", host, err)
		}
	}
	for _, host := range []string{"", ".", "a", "a.", "0x.example", "1.example", "beef", "0xg", "xn--p1ai"} {
		if _, literal, err := literalAddress(host); literal || err != nil {
			t.Errorf("%s: %v %v", host, literal, err)
		}
	}
}

func TestPorts(t *testing.T) {
	f := &Fetcher{Ports: []uint16{8443}}
	must.Get(f.parse("https://example.org:8443/a"))(t)
	if _, err := f.parse("https://example.org/a"); reason(err) != reasonPort {
		t.Errorf("the list replaces the usual ports: %v", err)
	}
}

// TestNetworks checks that the allowed networks are open on all ports, and that they do not open ports of other
// addresses, however an address is written.
func TestNetworks(t *testing.T) {
	names := map[string]string{
		"own.example": "10.1.2.3", "other.example": "10.2.0.1", "public.example": "8.8.8.8", "mapped.example": "::ffff:10.1.2.3",
	}
	f := &Fetcher{
		Networks: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fd00:1::/32")},
		resolver: func(_ context.Context, host string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr(names[host])}, nil
		},
	}
	for raw, want := range map[string]string{
		"http://10.1.2.3:9000/": "", "http://10.1.2.3/": "", "http://[fd00:1::5]:65535/": "", "http://own.example:22/": "",
		"http://mapped.example:9000/": "", "http://8.8.8.8/": "", "https://public.example/": "",
		"http://8.8.8.8:9000/": reasonPort, "https://public.example:9000/": reasonPort, "http://10.2.0.1:9000/": reasonAddress,
		"http://10.2.0.1/": reasonAddress, "http://other.example/": reasonAddress, "http://[fd00:2::5]/": reasonAddress,
	} {
		err := f.CheckAddress(t.Context(), raw)
		if reason(err) != want {
			t.Errorf("%s: %v, want %q", raw, err, want)
		}
		if refused, ok := errors.AsType[*Error](err); ok && !refused.To.IsValid() {
			t.Errorf("%s: what was refused is not named", raw)
		}
	}
	d := f.dialer()
	for address, want := range map[string]string{"8.8.8.8:9000": reasonPort, "public.example:9000": reasonPort,
		"10.2.0.1:80": reasonAddress} {
		if _, err := d.DialContext(t.Context(), "tcp", address); reason(err) != want {
			t.Errorf("dial %s: %v, want %q", address, err, want)
		}
		if err := d.control(t.Context(), "tcp", address, nil); err == nil {
			t.Errorf("%s may be connected to", address)
		}
	}
}

func TestErrorTexts(t *testing.T) {
	if (&Error{Reason: "other"}).Error() != "media: other" {
		t.Error("an unknown reason has no text")
	}
	seen := map[string]bool{}
	for r := range reasons {
		text := refuse(r).Error()
		if seen[text] || !strings.HasPrefix(text, "media: ") || text == "media: "+r {
			t.Errorf("%s: %s", r, text)
		}
		seen[text] = true
	}
}
