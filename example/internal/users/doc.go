// Package users manages the accounts of a site for its operator: it adds and lists them, and adds
// application passwords. It writes the rows that the site's own software would write.
package users
