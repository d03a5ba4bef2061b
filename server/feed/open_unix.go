//go:build unix

package feed

import "syscall"

// openFlags are for what has become something else since it was looked at: a pipe
// would wait for a writer. A link cannot lead out of the folder, whose os.Root sees
// to that.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOFOLLOW
