//go:build gc && !purego

package cpu

import "github.com/klauspost/cpuid/v2"

// detect asks the processor, and the system, which has to save the wide
// registers of a thread: cpuid reports AVX features only when it does.
func detect() []Backend {
	var found []Backend
	if cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ, cpuid.AVX512VL, cpuid.BMI2, cpuid.POPCNT) {
		found = append(found, AVX512)
	}
	if cpuid.CPU.Supports(cpuid.AVX2, cpuid.BMI2, cpuid.POPCNT) {
		found = append(found, AVX2)
	}
	return found
}
