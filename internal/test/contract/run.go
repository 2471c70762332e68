package contract

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// Engine opens the databases of one engine.
type Engine struct {
	// Recorded contains the recorded site with the prefix of the sites. Tests only read it.
	Recorded *bun.DB
	// Blank opens an empty database that ends with the test.
	Blank func(t testing.TB) *bun.DB
	// Lasting is like Blank, for a database that can have a journal, which one in memory cannot.
	Lasting func(t testing.TB) *bun.DB
	// Counted is like Blank, with a counter of what the pool sends.
	Counted func(t testing.TB) (*bun.DB, *testdb.Counter)
	// Copy opens a copy of the recorded site with another prefix, for one test.
	Copy func(t testing.TB, prefix string) *bun.DB
	// Share is the part that this engine runs of a test's many combinations, if they do not differ between engines. Of
	// two engines, one with OneThird and one with TheRest together run all of them.
	Share Share
	// Installed means that the databases of Blank, Lasting and Counted have the tables of a site already.
	Installed bool
	// Network means that each site is part of a network whose first site has the prefix wp_. The site's own prefix is
	// NetworkPrefix.
	Network bool
}

// Share is a part of the combinations of a test, by their numbers.
type Share int

const (
	Everything Share = iota
	OneThird
	TheRest
)

// skips reports whether a combination, identified by one or several numbers, is left to the other engine.
func (e Engine) skips(numbers ...int) bool {
	third := !slices.ContainsFunc(numbers, func(n int) bool { return n%3 > 0 })
	return e.Share == OneThird && !third || e.Share == TheRest && third
}

// least returns the minimum number of n combinations that this engine runs.
func (e Engine) least(n int) int {
	switch e.Share {
	case OneThird:
		return n / 3
	case TheRest:
		return n / 2
	}
	return n
}

// draws returns how many of n random sequences of writes the engine draws.
func (e Engine) draws(n int) int {
	if e.Share == OneThird {
		return n / 3
	}
	return n
}

// steps returns the distance between the statements of a write at which faults are caused. The statements depend on the
// engine, so the engines cannot share them exactly.
func (e Engine) steps() int {
	if e.Share == OneThird {
		return 3
	}
	return 1
}

// NetworkPrefix is the prefix of the sites of an Engine with Network. They are the main sites of their networks, so the
// URLs of their uploads are those of a single site.
const (
	NetworkPrefix = "wp_2_"
	ofNetwork     = 2
)

// NewNetwork makes a site with NetworkPrefix part of a network.
func NewNetwork(t testing.TB, host *bun.DB) {
	testdb.Networked(t, testdb.OfOthers(t, host), NetworkPrefix, ofNetwork)
}

// prefix returns the prefix of the sites.
func (e Engine) prefix() string {
	if e.Network {
		return NetworkPrefix
	}
	return schema.DefaultPrefix
}

// recorded returns options for the recorded site.
func (e Engine) recorded(opts calendar.Options) calendar.Options {
	opts.DB, opts.Site.Prefix = e.Recorded, e.prefix()
	return opts
}

// tests contains all tests, named by the decision or the part of the contract that they test. The longest ones and
// those that wait come first.
var tests = []struct {
	name string
	run  func(*testing.T, Engine)
}{
	{"answers from memory for nobody else", cachedForNobodyElse},
	{"answers from memory however they are asked for", cachedForAllSpellings},
	{"answers from memory without a host's cookie", cachedWithoutCookies},
	{"answers from memory as long as they are right", cachedWhileRight},
	{"answers from memory until a right, a setting or a name changes", cachedUntilChanged},
	{"model: random writes", randomWrites},
	{"model: D65 random writes to events with several dates", randomWritesOfDates},
	{"D02 recorded lists page by page", pagesOnce},
	{"D02 pages of small sites", pagesOfOptions},
	{"D33 without the table of occurrences", withoutOccurrences},
	{"D33 dates of other programs", datesOfPrograms},
	{"links of other programs", linksOfPrograms},
	{"D41 NUL and invalid UTF-8", uncleanText},
	{"D56 statements of galleries", galleryStatements},
	{"D56 synced patterns", syncedPatterns},
	{"statements of routes", statementsOfRoutes},
	{"D56 statements of patterns", patternStatements},
	{"authorization matrix", authorizationMatrix},
	{"JSON-LD of venues and organizers as recorded", recordedLinkedData},
	{"JSON-LD addresses under every permalink structure", linkedAddresses},
	{"totals that are kept", keptTotals},
	{"observed requests", observedRequests},
	{"observed cache", observedCache},
	{"changes by slug and language", changesNamed},
	{"sync: begin, change, end", syncBegins},
	{"sync: what is refused", syncRefuses},
	{"sync: nothing hidden is counted", syncCountsNothingHidden},
	{"sync: a link for a moment", syncMoments},
	{"sync: away and back between comparisons", syncAway},
	{"sync: short pages", syncShortPages},
	{"sync: tokens expire", syncExpires},
	{"sync: random writes of others", randomSync},
	{"sync: what is told to whom", syncRights},
	{"sync: languages", syncLanguages},
	{"sync: fields of the host", syncFields},
	{"sync: tickets", syncTickets},
	{"sync: who may read, by Members", syncMembers},
	{"prices of some days", pricesOfDays},
	{"reads of hosts", readByHosts},
	{"typed reads", typedReads},
	{"typed reads from memory", typedFromMemory},
	{"typed names", typedNames},
	{"typed writes", typedWrites},
	{"times and rules of typed writes", typedTimes},
	{"reads of hosts on the recorded site", recordedByHosts},
	{"failures in gin's context", failuresInGin},
	{"feeds as recorded", recordedFeed},
	{"feeds of every list", feedsOfLists},
	{"feeds of many events", feedOfMany},
	{"hostile values", hostileValues},
	{"odd values of all parameters", oddEverywhere},
	{"D07 what lists hold is shown alone", listedAlone},
	{"second site", secondSite},
	{"D74 files in multipart bodies", filesRefused},
	{"D74 images as files", filesStored},
	{"diagnosis of a new site", diagnosis},
	{"security: texts that look serialized", storedAsTexts},
	{"security: no scripts in any field", noScripts},
	{"security: refusals cost little", cheapRefusals},
	{"security: fields that nobody may set", ownFieldsOnly},
	{"languages and statements", languageStatements},
	{"languages and options", languageOptions},
	{"languages of writes at once", groupsAtOnce},
	{"languages of failing writes", languageWritesFail},
	{"D20 failing statements of writes", writesFail},
	{"D20 failing commits of writes", commitsFail},
	{"D20 writes whose client goes", writesGivenUp},
	{"D20 writes that run again", writesRunAgain},
	{"D20 an event that runs again", eventRunsAgain},
	{"D20 conflicts without end", endlessConflicts},
	{"D78 answers given again", answersRepeated},
	{"D78 answers lost at the commit", answersLost},
	{"D78 one key at once", oneKeyAtOnce},
	{"D78 a key whose request is running", stillRunning},
	{"D78 failing statements", keyedWritesFail},
	{"D78 a faster request", fasterRequest},
	{"D78 answers that are too large", tooLarge},
	{"D78 every operation", everyOperation},
	{"D78 servers without NOWAIT", olderServers},
	{"batches in one transaction", batchesAtOnce},
	{"batches with many dates", datesAtOnce},
	{"batches: images", batchesWithImages},
	{"batches sent again", batchesAgain},
	{"batches in groups", batchesInGroups},
	{"batches within a Transaction", batchesWithinTransactions},
	{"races: one title", sameTitle},
	{"races: D63 slugs of other programs", slugsOfPrograms},
	{"races: D63 slugs that are not committed", slugBeforeCommit},
	{"races: one term", sameTerm},
	{"races: fields of one item", fieldsAtOnce},
	{"races: mixed writes", mixedWrites},
	{"races: totals while writing", totalsWhileWriting},
	{"races: scheduled posts", dueAtOnce},
	{"changes reported to the hook", changesReported},
	{"D94 every write names what it changed for the companion", namedForCompanion},
	{"changes reported after the commit", reportedAfterCommit},
	{"changes and bad hooks", badHooks},
	{"changes with their request", hookContext},
	{"callers within a transaction", callersInTransaction},
	{"D60 trials in the process", trialsInTheProcess},
	{"transactions of two calendars", contextsOfTwo},
	{"transactions of one site's calendars", calendarsOfOneSite},
}

// withAnyHTML contains the tests that require a caller who may store any HTML. On a network, only its administrators
// may.
var withAnyHTML = []string{
	"security: who may store any HTML", "D78 rights before answers", "D27 stored texts of venues", "D14 what a venue has already",
	"D81 the CSS of a block is not stored for those who may not store any HTML", "A5 entities of old editors",
}

// ofNoEngine contains the tests in which the database does not matter, in addition to those of the case files in
// ofNoEngineFiles. The engine with TheRest leaves them to the other one, and runs them in RunLeft.
var ofNoEngine = []string{
	"answers from memory for nobody else", "answers from memory however they are asked for", "answers from memory without a host's cookie",
	"D41 NUL and invalid UTF-8", "JSON-LD of venues and organizers as recorded", "JSON-LD addresses under every permalink structure",
	"observed requests", "observed cache", "prices of some days", "reads of hosts", "typed reads",
	"typed reads from memory", "typed names", "typed writes", "times and rules of typed writes", "failures in gin's context",
	"feeds of every list", "feeds of many events", "D74 files in multipart bodies",
	"D74 images as files", "security: validators of masked items", "security: who may store any HTML",
	"security: fields that nobody may set", "D78 answers expire",
	"batches: rights and languages", "batches: images", "batches sent again", "batches with many dates", "changes and bad hooks",
	"changes with their request", "D60 trials in the process",
	"D56 statements of galleries", "D56 synced patterns", "D56 statements of patterns", "D07 what lists hold is shown alone",
	"feeds as recorded", "reads of hosts on the recorded site", "changes by slug and language", "changes reported to the hook",
	"D94 every write names what it changed for the companion", "languages and options", "D90 settings of languages",
	"security: texts that look serialized", "security: no scripts in any field", "security: refusals cost little",
	"sync: fields of the host", "sync: who may read, by Members", "D78 a faster request",
}

var ofNoEngineFiles = []string{
	"addresses.txt", "answers.txt", "feeds.txt", "limits.txt", "passwords.txt", "pictures.txt", "requests.txt", "rights.txt",
	"security.txt", "texts.txt", "tickets.txt", "wordpress.txt",
}

// left reports whether the engine leaves a test to the other engine. file is the case file of the test, or "".
func (e Engine) left(name, file string) bool {
	return e.Share == TheRest && (slices.Contains(ofNoEngine, name) || slices.Contains(ofNoEngineFiles, file))
}

// Run runs the tests on one engine, twice as many at a time as there are processors, because half of the time they wait
// for the database. It returns when they have ended, which would not be the case with t.Parallel.
func Run(t *testing.T, e Engine) { run(t, e, false) }

// RunLeft runs the tests that Run leaves to the other engine.
func RunLeft(t *testing.T, e Engine) { run(t, e, true) }

func run(t *testing.T, e Engine, left bool) {
	defer compareDeclarations(t)()
	queue := make(chan func())
	var workers sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for run := range queue {
				run()
			}
		})
	}
	add := func(name, file string, run func(*testing.T)) {
		if e.left(name, file) == left && (!e.Network || !slices.Contains(withAnyHTML, name)) {
			queue <- func() { t.Run(name, run) }
		}
	}
	for _, test := range tests {
		add(test.name, "", func(t *testing.T) { test.run(t, e) })
	}
	for _, l := range cases {
		if name, isTest := strings.CutPrefix(l.text, "test "); isTest {
			file, _, _ := strings.Cut(l.at, ":")
			add(name, file, func(t *testing.T) { newScript(t, e).playAll(l.sub) })
		}
	}
	close(queue)
	workers.Wait()
}
