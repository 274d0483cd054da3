// Package archtest owns the walls between the rooms: which package may import
// what, each rule with its reason (rooms_test.go). A new room is added to the
// table with its layer; a new wall with why it stands.
//
// It judges import lists (go list) and syntax trees, never behaviour. Nobody
// imports it.
package archtest
