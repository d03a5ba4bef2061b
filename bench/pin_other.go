//go:build !linux

package main

import "errors"

func pin() (string, error) { return "", errors.New("this system does not offer it") }
