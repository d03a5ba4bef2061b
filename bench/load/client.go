package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
)

// A client has one connection and does as little as can be done about an answer.
type client struct {
	conn net.Conn
	r    *bufio.Reader
}

func dial(address string) (*client, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &client{conn, bufio.NewReaderSize(conn, 256<<10)}, nil
}

func (c *client) close() { c.conn.Close() }

var contentLength = []byte("content-length:")

// ask sends a request and reads past its answer. It returns the length of the body.
func (c *client) ask(request []byte) (int, error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, err
	}
	line, err := c.r.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
		return 0, fmt.Errorf("answered %q", line)
	}
	length := -1
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(line) <= 2 {
			break
		}
		if len(line) > len(contentLength) && bytes.EqualFold(line[:len(contentLength)], contentLength) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(line[len(contentLength):]))); err != nil {
				return 0, err
			}
		}
	}
	if length < 0 {
		return c.skipChunks()
	}
	return c.r.Discard(length)
}

// skipChunks reads past a body in chunks.
func (c *client) skipChunks() (total int, err error) {
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return total, err
		}
		size, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 16, 31)
		if err != nil {
			return total, err
		}
		if _, err := c.r.Discard(int(size) + 2); err != nil {
			return total, err
		}
		if size == 0 {
			return total, nil
		}
		total += int(size)
	}
}

// whole sends a request and returns the answer.
func (c *client) whole(request []byte) (answer, error) {
	if _, err := c.conn.Write(request); err != nil {
		return answer{}, err
	}
	r, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return answer{}, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("answered %s: %.200s", r.Status, body)
	}
	r.Header.Del("Date")
	if r.ContentLength >= 0 {
		r.Header.Set("Content-Length", strconv.FormatInt(r.ContentLength, 10))
	}
	return answer{Header: r.Header, Body: body}, err
}
