package leaders

// A Status is an answer, or that there is none.
type Status string

const (
	// Present: at least one slot is led by one of the keys.
	Present Status = "present"
	// Absent: all slots in question are known, and none is led by one of the keys.
	Absent Status = "absent"
	// Unknown: no slot of the keys is known, and not every slot is known.
	Unknown Status = "unknown"
)

// either is "or" of three values.
func either(a, b Status) Status {
	switch {
	case a == Present || b == Present:
		return Present
	case a == Unknown || b == Unknown:
		return Unknown
	}
	return Absent
}

// both is "and" of three values.
func both(a, b Status) Status {
	switch {
	case a == Absent || b == Absent:
		return Absent
	case a == Unknown || b == Unknown:
		return Unknown
	}
	return Present
}
