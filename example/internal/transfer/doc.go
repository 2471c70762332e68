// Package transfer copies a site from one database to another, possibly of another engine, and compares two copies.
//
// A site consists of what the schema package has models for: eleven tables and their columns. Other tables, and columns
// that other programs added, are not copied; Ignored lists them.
package transfer
