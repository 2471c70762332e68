// Package cluster starts what tests of outages require: Galera clusters, MySQL groups with a router, primaries with
// replicas on loopback, a proxy that stalls and resets connections to a server, and the program with clients that
// record which writes it acknowledged. Everything ends with the test, or with its process.
//
//	galera := cluster.NewGalera(t, 3)
//	galera.Nodes[0].Kill()
//
// Except for this file, the package is only built with the tag "cluster", on Linux. ./test.sh cluster installs what it
// requires and runs its tests. Nothing is skipped there: without Galera, or without the MySQL that AGENDA_TEST_MYSQL
// names, they fail.
package cluster
