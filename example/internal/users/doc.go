// Package users manages the accounts of a site for its operator: it adds, lists and removes them, and manages their
// application passwords. It writes the rows that WordPress would write.
package users
