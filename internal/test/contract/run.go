package contract

import (
	"testing"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
)

// Engine opens the databases of one engine.
type Engine struct {
	// Recorded holds the recorded site under the prefix wp_. Tests only read it.
	Recorded *bun.DB
	// Blank opens an empty database that ends with the test.
	Blank func(t testing.TB) *bun.DB
	// Counted is Blank with a counter of what the pool sends.
	Counted func(t testing.TB) (*bun.DB, *testdb.Counter)
	// Copy opens a copy of the recorded site under another prefix, for one test.
	Copy func(t testing.TB, prefix string) *bun.DB
}

// tests are all tests, by the decision or the part of the contract that they prove.
var tests = []struct {
	name string
	run  func(*testing.T, Engine)
}{
	{"D01 the path decides", pathDecides},
	{"D02 recorded lists page by page", pagesOnce},
	{"D02 pages of small sites", pagesOfOptions},
	{"D02 addresses carry every filter", addressesCarry},
	{"D03 D04 linked posts", linkedPosts},
	{"D05 strict dates", strictDates},
	{"D06 terms of events", termsOfEvents},
	{"D07 what a caller sees in lists", listsByCaller},
	{"D08 include", includes},
	{"D09 only with upcoming", upcoming},
	{"D10 search of venues and organizers", linkedSearch},
	{"D11 category lists", categoryLists},
	{"D12 slugs", slugs},
	{"D22 type slips", typeSlips},
	{"D30 geo filters", geoFilters},
	{"D30 places of venues", placesOfVenues},
	{"D31 ticketed", ticketed},
	{"D32 orders", orders},
	{"D32 pages never overlap", pagesNeverOverlap},
	{"D33 without the table of occurrences", withoutOccurrences},
	{"D33 rows of the table of occurrences", occurrenceRows},
	{"D37 time zones as stored", storedZones},
	{"D41 NUL and invalid UTF-8", uncleanText},
	{"D49 events that a caller may not read", unreadableEvents},
	{"A5 entities of old editors", oldEntities},
	{"D55 percent signs", percentSigns},
	{"D50 slugs that several have", sharedSlugs},
	{"D51 filters on what an answer hides", hiddenFilters},
	{"D51 events that count", countedEvents},
	{"D50 slugs that translations share", sharedSlugsOfLanguages},
	{"D56 A3 galleries", galleries},
	{"D60 post passwords are counted", countedPasswords},
	{"D56 statements of galleries", galleryStatements},
	{"D58 odd numbers", oddNumbers},
	{"authorization matrix", authorizationMatrix},
	{"D13 writes by slug", writesBySlug},
	{"D15 the author of a post", givenAuthor},
	{"D16 new terms in events", newTermsInEvents},
	{"D16 D18 venues and organizers in events", nestedInEvents},
	{"D17 the status trash", intoTrash},
	{"rights of roles with gaps", partialRoles},
	{"rights of one kind of posts", families},
	{"rights of programs", programs},
	{"rights as stored", storedRights},
	{"visibility of statuses", visibility},
	{"status parameter", statusParameter},
	{"D27 context of single posts", contextOfPosts},
	{"passwords", passwords},
	{"texts and costs", renderedTexts},
	{"embedded files and addresses", embedded},
	{"JSON-LD", linkedData},
	{"JSON-LD of venues and organizers as recorded", recordedLinkedData},
	{"JSON-LD addresses under every permalink structure", linkedAddresses},
	{"JSON-LD regions and addresses of venues", linkedPlaces},
	{"JSON-LD image of a file that is none", linkedImages},
	{"JSON-LD price of what is free", linkedPrices},
	{"D54 D62 moments in JSON-LD", linkedMoments},
	{"smilies without the option", facesAsTyped},
	{"embedded categories", embeddedTerms},
	{"keys of an event", eventKeys},
	{"missing, empty and repeated metas", oddMetas},
	{"search of events", eventSearch},
	{"date parameters", dateParameters},
	{"date defaults", dateDefaults},
	{"zones of sites", siteZones},
	{"term parameters", termParameters},
	{"page sizes", pageSizes},
	{"totals that are kept", keptTotals},
	{"terms of other programs", termsElsewhere},
	{"limits", limits},
	{"two mistakes at once", twoMistakes},
	{"D59 bounds of costs", costBounds},
	{"hostile values", hostileValues},
	{"second site", secondSite},
	{"security: texts that look serialized", storedAsTexts},
	{"security: no scripts in any field", noScripts},
	{"security: validators of masked items", validatorsOfMasked},
	{"security: reads that caches must not keep", fatReads},
	{"security: refusals cost little", cheapRefusals},
	{"security: who may store any HTML", anyHTML},
	{"security: fields that nobody may set", ownFieldsOnly},
	{"security: no way around rights", noWayAround},
	{"languages of lists", languageLists},
	{"languages of items", languageItems},
	{"languages of what events link", languageOfLinks},
	{"languages of slugs", languageOfSlugs},
	{"languages and statements", languageStatements},
	{"languages switched off", languagesOff},
	{"languages and options", languageOptions},
	{"languages of one root", languageOfOneRoot},
	{"languages that are broken", brokenLanguages},
	{"languages of writes", languageOfWrites},
	{"languages of names", namesPerLanguage},
	{"languages of what is deleted", languageOfDeleted},
	{"languages of terms with the ids of posts", idsOfBoth},
	{"languages of writes at once", groupsAtOnce},
	{"languages of failing writes", languageWritesFail},
	{"D20 failing statements of writes", writesFail},
	{"D20 failing commits of writes", commitsFail},
	{"D20 writes whose client goes", writesGivenUp},
	{"D20 writes that run again", writesRunAgain},
	{"D20 an event that runs again", eventRunsAgain},
	{"D20 writers in the way for ever", writersInTheWayForEver},
	{"races: one title", sameTitle},
	{"races: D63 slugs of other programs", slugsOfPrograms},
	{"races: D63 slugs that are not committed", slugBeforeCommit},
	{"races: one term", sameTerm},
	{"races: fields of one item", fieldsAtOnce},
	{"races: mixed writes", mixedWrites},
	{"races: totals while writing", totalsWhileWriting},
	{"races: scheduled posts", dueAtOnce},
	{"model: random writes", randomWrites},
	{"model: broken writes", brokenWrites},
	{"D14 schedules sent back", sentBack},
	{"D14 D18 forms of fields", formsOfFields},
	{"rows in their order", rowsInOrder},
	{"comments on venues and organizers", closedForComments},
	{"types of fields of venues and organizers in events", nestedTypes},
	{"changes heard", changesHeard},
	{"changes heard after the commit", heardAfterCommit},
	{"changes and bad hooks", badHooks},
	{"changes with their request", hookContext},
}

// Run runs all tests on one engine.
func Run(t *testing.T, e Engine) {
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, e) })
	}
}
