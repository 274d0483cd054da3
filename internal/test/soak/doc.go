// Package soak treats the real binary badly, for long: it is killed at random
// moments of random stories, two daemons work on one state folder, disks are
// full, thousands of commands are run, and tasks grow to thousands of turns.
// Everything is in its tests.
//
// SOAK=N asks for N kills (50 by default) and ten times as many commands,
// SOAK_SEED=S for the story of one seed that failed. Only Linux lets a test look
// at all processes, so the tests are for Linux.
package soak
