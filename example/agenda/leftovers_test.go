package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestDoctorListsFilesWithoutAnAttachment checks that the files of an attachment, including its sizes, are not listed.
func TestDoctorListsFilesWithoutAnAttachment(t *testing.T) {
	t.Parallel()
	dir, db := earlier(t)
	bound := must.Get(schema.Bind(db, "wp_"))(t)
	metas := []schema.PostMeta{
		{PostID: 7, Key: schema.MetaAttachedFile, Value: "2031/05/fair.jpg"},
		{PostID: 7, Key: schema.MetaAttachmentMetadata,
			Value: `a:3:{s:4:"file";s:16:"2031/05/fair.jpg";s:14:"original_image";s:12:"original.jpg";` +
				`s:5:"sizes";a:1:{s:5:"thumb";a:1:{s:4:"file";s:16:"fair-150x150.jpg";}}}`},
	}
	must.Get(bound.NewInsert().Model(&metas).ExcludeColumn("meta_id").Returning("NULL").Exec(t.Context()))(t)
	for _, name := range []string{"fair.jpg", "fair-150x150.jpg", "original.jpg"} {
		writeTestFile(t, filepath.Join(dir, "uploads", "2031", "05", name), "x")
	}
	if text := runDoctor(t, "-data", dir); !strings.Contains(text, "every image belongs to an attachment") {
		t.Errorf("%s", text)
	}
	writeTestFile(t, filepath.Join(dir, "uploads", "2031", "05", "lost.jpg"), "")
	text := runDoctor(t, "-data", dir)
	if !strings.Contains(text, "2031/05/lost.jpg: no attachment has this file") || strings.Contains(text, "fair") ||
		strings.Contains(text, "original") {
		t.Errorf("%s", text)
	}
	if text := runDoctor(t, "-data", dir, "-json"); !strings.Contains(text, `"2031/05/lost.jpg"`) {
		t.Errorf("%s", text)
	}
	if text := runDoctor(t, "-data", dir, "-uploads", t.TempDir()); strings.Contains(text, "lost.jpg") {
		t.Errorf("%s", text)
	}
}

// TestStartSweepsUnfinishedImages checks that the next start removes files that a killed process left, if they are old
// enough that no process can still be writing them.
func TestStartSweepsUnfinishedImages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := filepath.Join(dir, "uploads", "2031", "05", ".ABCDEFGHIJKLMNOPQRSTUVWX23.tmp")
	fresh := filepath.Join(dir, "uploads", "2031", "05", ".ZBCDEFGHIJKLMNOPQRSTUVWX23.tmp")
	writeTestFile(t, old, "half")
	writeTestFile(t, fresh, "half")
	if then := time.Now().Add(-2 * time.Hour); os.Chtimes(old, then, then) != nil {
		t.Fatal("no age")
	}
	_, end := server(t, "-data", dir, "-demo=false")
	if code, log := end(); code != 0 || !strings.Contains(log, "unfinished images") {
		t.Errorf("code %d: %s", code, log)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("the leftover is there")
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Error("a file that may be being written is gone")
	}
}
