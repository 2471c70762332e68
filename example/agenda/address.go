package main

import (
	"context"
	"net"

	"github.com/agendahq/agenda/example/internal/cli"
)

// address is the address on which the server listens and with which links begin.
type address struct {
	*net.TCPAddr
	flag     string
	listener net.Listener // nil until listen is called, unless the system chose the port
}

// address parses --addr. If the system has to choose the port, it starts listening at once, because links contain the
// port; otherwise listen does.
func (s *settings) address(ctx context.Context) (*address, error) {
	named, err := net.ResolveTCPAddr("tcp", s.addr)
	if err != nil {
		return nil, cli.Usagef("--addr %s: %w", s.addr, err)
	}
	if named.IP == nil {
		named.IP = net.IPv6unspecified // all interfaces
	}
	a := &address{TCPAddr: named, flag: s.addr}
	if named.Port == 0 {
		if err := a.listen(ctx); err != nil {
			return nil, err
		}
		a.TCPAddr = a.listener.Addr().(*net.TCPAddr)
	}
	return a, nil
}

// listen starts listening, unless address did.
func (a *address) listen(ctx context.Context) error {
	if a.listener != nil {
		return nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", a.flag)
	if err != nil {
		return cli.Usagef("--addr %s: %w", a.flag, err)
	}
	a.listener = listener
	return nil
}

func (a *address) close() {
	if a.listener != nil {
		_ = a.listener.Close()
	}
}
