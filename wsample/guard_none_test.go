//go:build linux && (!(amd64 && gc) || purego)

package wsample

import "testing"

func moveTree(*testing.T, *wideTree, bool) bool { return false }

func (p *samplerPair) drawInside(*testing.T, int, bool) {}
