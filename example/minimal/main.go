// Minimal is the smallest host: it mounts the events of a site on a router.
//
//	DSN='user:password@tcp(127.0.0.1:3306)/site' ADDR=127.0.0.1:8080 go run ./example/minimal
package main

import (
	"database/sql"
	"fmt"
	"os"

	"github.com/gin-gonic/gin"
	_ "github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"

	"github.com/agendahq/agenda/calendar"
)

func main() {
	router := gin.Default()
	pool, err := sql.Open("mysql", os.Getenv("DSN"))
	if err == nil {
		err = calendar.Register(router, calendar.Options{DB: bun.NewDB(pool, mysqldialect.New())})
	}
	if err == nil {
		err = router.Run(os.Getenv("ADDR"))
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
