package splice

// The CRC-32 of gzip is the remainder of a polynomial over GF(2), so that the
// checksum of A followed by B is that of A times x^(8·len(B)), plus that of B.
// Polynomials are held with the coefficient of x^0 in the highest bit.
const (
	crcPoly = 0xedb88320
	crcOne  = 1 << 31 // x^0
	crcX8   = 1 << 23 // x^8
)

// crcMul multiplies two polynomials modulo that of the CRC.
func crcMul(a, b uint32) uint32 {
	var product uint32
	for ; a != 0; a <<= 1 {
		if a&crcOne != 0 {
			product ^= b
		}
		carry := b & 1
		b >>= 1
		if carry != 0 {
			b ^= crcPoly
		}
	}
	return product
}

// crcShift returns x^(8n): what the checksum of a text is multiplied with when n
// bytes follow it.
func crcShift(n int64) uint32 {
	shift, power := uint32(crcOne), uint32(crcX8)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			shift = crcMul(shift, power)
		}
		power = crcMul(power, power)
	}
	return shift
}
