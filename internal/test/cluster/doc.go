// Package cluster starts what the tests of outages need: Galera clusters, groups of MySQL with a router, and primaries
// with replicas on loopback, a proxy in front of a server that stalls and resets, and the program with clients that note
// which writes it acknowledged. Everything ends with the test, or with its process.
//
//	galera := cluster.NewGalera(t, 3)
//	galera.Nodes[0].Kill()
//
// All but this file is built with the tag "cluster" alone, on Linux: ./test.sh cluster installs what it needs and runs
// its tests. Nothing is skipped there: without Galera, or without the MySQL that AGENDA_TEST_MYSQL names, they fail.
package cluster
