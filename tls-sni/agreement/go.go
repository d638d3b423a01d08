// Reads hellos in hexadecimal, a line each, and writes what a Go server acts on: a name in hexadecimal, "-" for none, "!" for a
// refusal. Asked where the server chooses its configuration, which is before it looks for a certificate.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"time"
)

// conn is a client that has sent everything and hears nothing.
type conn struct{ sent *bytes.Reader }

func (c conn) Read(b []byte) (int, error)       { return c.sent.Read(b) }
func (c conn) Write(b []byte) (int, error)      { return len(b), nil }
func (c conn) Close() error                     { return nil }
func (c conn) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (c conn) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (c conn) SetDeadline(time.Time) error      { return nil }
func (c conn) SetReadDeadline(time.Time) error  { return nil }
func (c conn) SetWriteDeadline(time.Time) error { return nil }

func ask(hello []byte) string {
	answer := "!"
	config := &tls.Config{
		MinVersion: tls.VersionTLS10,
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			answer = "-"
			if hello.ServerName != "" {
				answer = hex.EncodeToString([]byte(hello.ServerName))
			}
			return nil, errors.New("answered")
		},
	}
	_ = tls.Server(conn{bytes.NewReader(hello)}, config).Handshake()
	return answer
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintln(out, "Go", runtime.Version())
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		hello, err := hex.DecodeString(lines.Text())
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(out, ask(hello))
	}
}
