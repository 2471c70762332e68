package timelimit

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestLimitOfAStatement checks that each server gets the limit in its own syntax, in whole seconds.
func TestLimitOfAStatement(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 29_950*time.Millisecond)
	defer cancel()
	const query = "SELECT p.ID FROM wp_posts AS p"
	for _, c := range []struct {
		limits      Syntax
		ctx         context.Context
		query, want string
	}{
		{SetStatement, ctx, query, "SET STATEMENT max_statement_time=30 FOR " + query},
		{Hint, ctx, query, "SELECT /*+ MAX_EXECUTION_TIME(30000) */ p.ID FROM wp_posts AS p"},
		{Hint, ctx, "(SELECT 1) UNION ALL (SELECT 2)", "(SELECT /*+ MAX_EXECUTION_TIME(30000) */ 1) UNION ALL (SELECT 2)"},
		{Hint, ctx, "((SELECT DISTINCT 1))", "((SELECT /*+ MAX_EXECUTION_TIME(30000) */ DISTINCT 1))"},
		{Hint, ctx, "/* SELECT all */ SELECT 1", "/* SELECT all */ SELECT /*+ MAX_EXECUTION_TIME(30000) */ 1"},
		{Hint, ctx, "SHOW TABLES", "SHOW TABLES"}, {Hint, ctx, "WITH a AS (", "WITH a AS ("}, {Hint, ctx, "(", "("},
		{None, ctx, query, query},
		{SetStatement, t.Context(), query, query}, {Hint, t.Context(), query, query},
	} {
		if got := c.limits.Statement(c.ctx, c.query); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
	past, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Hour))
	defer cancel()
	if got := SetStatement.Statement(past, query); !strings.Contains(got, "=1 FOR") {
		t.Errorf("past its time: %s", got)
	}
}
