//go:build !((amd64 || arm64 || ppc64 || ppc64le || s390x) && gc) || purego

package cpu

func detect() []Backend { return nil }
