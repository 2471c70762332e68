// Package transfer copies a site from one database to another, between engines or not, and compares two copies.
//
// A site is what the schema package has models for: eleven tables and their columns. Other tables, and columns that
// other programs added, are not copied; Ignored lists them.
package transfer
