// SPDX-License-Identifier: GPL-2.0-only

// Go: goroutines, which move from thread to thread and have small stacks of their own,
// a closure and a method of an interface. What works is in work_amd64.s.
package main

import "sync"

func hot50()
func mid30()
func low20()

type worker interface{ work() }

type steady struct{ passes int }

//go:noinline
func (s steady) work() {
	for i := 0; i < s.passes; i++ {
		mid30()
	}
}

//go:noinline
func each(passes int, f func()) {
	for i := 0; i < passes; i++ {
		f()
	}
}

//go:noinline
func run(w worker) {
	each(10, func() { hot50() })
	w.work()
	each(10, low20)
}

func main() {
	var all sync.WaitGroup

	for i := 0; i < 4; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			run(steady{10})
		}()
	}
	all.Wait()
}
