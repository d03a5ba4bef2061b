package main

import "syscall"

// ERROR_BROKEN_PIPE and ERROR_NO_DATA of winerror.h.
var closedPipeCodes = [...]syscall.Errno{109, 232}
