package schema

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// searched are the columns that a search covers.
var searched = []string{"post_title", "post_excerpt", "post_content"}

// CheckSearchIndex returns an error if searches cannot use a FULLTEXT index: on SQLite; if wp_posts has no such index
// of InnoDB on exactly title, excerpt and content (the error contains the statement that adds it; nothing is changed);
// or if the server's configuration excludes more words from the index than by default.
func CheckSearchIndex(ctx context.Context, db *bun.DB, prefix string) error {
	if isSQLite(db) {
		return errors.New("an embedded database has no FULLTEXT index: use MySQL or MariaDB to search with one")
	}
	name, err := searchIndex(ctx, db, prefix)
	if err != nil {
		return err
	}
	if name == "" {
		return fmt.Errorf("table %sposts has no FULLTEXT index over %s: add it while nobody writes, with %s",
			prefix, strings.Join(searched, ", "), definitionMode+"; "+addSearchIndex(prefix))
	}
	var words struct {
		Least, Most int    // lengths of indexed words, in characters
		Excluded    string // tables with stopwords
	}
	err = db.NewRaw("SELECT @@innodb_ft_min_token_size AS least, @@innodb_ft_max_token_size AS most, "+
		"CONCAT(COALESCE(@@innodb_ft_server_stopword_table, ''), COALESCE(@@innodb_ft_user_stopword_table, '')) AS excluded").
		Scan(ctx, &words)
	switch {
	case err != nil:
		return err
	case words.Least > 3 || words.Most < 84:
		return fmt.Errorf("the server's FULLTEXT indexes hold words of %d to %d characters: set innodb_ft_min_token_size to 3 at most "+
			"and innodb_ft_max_token_size to 84, and make the index %q again", words.Least, words.Most, name)
	case words.Excluded != "":
		return fmt.Errorf("the server's FULLTEXT indexes leave out the words of the table %q: set no innodb_ft_server_stopword_table "+
			"or innodb_ft_user_stopword_table, and make the index %q again", words.Excluded, name)
	}
	return nil
}

// searchIndex returns the name of the FULLTEXT index for searches, "" if there is none.
func searchIndex(ctx context.Context, conn bun.IDB, prefix string) (string, error) {
	there, err := readIndexes(ctx, conn, prefix)
	if err != nil {
		return "", err
	}
	posts := there[strings.ToLower(prefix+"posts")]
	if !strings.EqualFold(posts.engine, innoDB) {
		return "", nil
	}
	for _, x := range posts.indexes {
		covered := x.kind == "FULLTEXT" && len(x.columns) == len(searched)
		for _, c := range x.columns {
			covered = covered && slices.Contains(searched, strings.ToLower(c.name))
		}
		if covered {
			return x.name, nil
		}
	}
	return "", nil
}

// addSearchIndex returns the statement that adds the FULLTEXT index for searches.
func addSearchIndex(prefix string) string {
	return "ALTER TABLE `" + prefix + "posts` ADD FULLTEXT INDEX `" + ownKeys + "search` " + columnsMySQL(searched)
}
