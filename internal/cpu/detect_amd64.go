//go:build gc && !purego

package cpu

import "github.com/klauspost/cpuid/v2"

// detect asks the processor, and the system, which has to save the wide
// registers of a thread: cpuid reports AVX features only when it does.
func detect() []Backend {
	// Without its feature, TZCNT or LZCNT is another instruction, not a fault.
	if !cpuid.CPU.Supports(cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.LZCNT, cpuid.POPCNT) {
		return nil
	}
	if cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ, cpuid.AVX512VL) {
		return []Backend{AVX512, AVX2}
	}
	return []Backend{AVX2}
}
