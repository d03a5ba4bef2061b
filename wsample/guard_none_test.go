//go:build linux && (!(amd64 && gc) || purego)

package wsample

import (
	"testing"

	"github.com/schedgen/schedgen/internal/cpu"
)

func moveTree(*testing.T, cpu.Backend, *wideTree, bool) bool { return false }

func (p *samplerPair) drawInside(*testing.T, int, bool) {}
