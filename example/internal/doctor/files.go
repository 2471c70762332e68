package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// shownFiles is the number of files that are listed individually.
const shownFiles = 100

// Files compares the directory of uploads with the attachments of a site. It returns a finding for each file that
// belongs to no attachment, such as those that a killed write left behind. Files outside of YYYY/MM are not the site's
// images and are skipped; so are hidden files, of which the next start of a server removes unfinished images.
func Files(ctx context.Context, db *bun.DB, prefix, dir string) (findings []schema.Finding, err error) {
	bound, err := schema.Bind(db, prefix)
	if err != nil {
		return nil, err
	}
	known, err := attachedFiles(ctx, bound)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files, err := fs.Glob(root.FS(), "[0-9][0-9][0-9][0-9]/[0-9][0-9]/*")
	if err != nil {
		return nil, err
	}
	lost := slices.DeleteFunc(files, func(name string) bool {
		info, err := root.Lstat(name)
		return err != nil || !info.Mode().IsRegular() || strings.HasPrefix(path.Base(name), ".") || known[name]
	})
	finding := schema.Finding{Section: "Uploads", Check: "files", Level: schema.OK, Text: "every image belongs to an attachment"}
	if len(lost) == 0 {
		return []schema.Finding{finding}, nil
	}
	for i, name := range lost {
		finding.Level, finding.Subject, finding.Text = schema.Note, name, "no attachment has this file"
		finding.Advice = "remove it, unless another program needs it"
		if i == shownFiles {
			finding.Subject, finding.Text = "", fmt.Sprintf("%d more files have no attachment", len(lost)-i)
		}
		if findings = append(findings, finding); i == shownFiles {
			break
		}
	}
	return findings, nil
}

// attachedFiles returns the files of all attachments and their sizes, relative to the directory of uploads.
func attachedFiles(ctx context.Context, db *bun.DB) (map[string]bool, error) {
	var metas []schema.PostMeta
	err := db.NewSelect().Model(&metas).Column("meta_key", "meta_value").
		Where("meta_key IN (?)", bun.List([]string{schema.MetaAttachedFile, schema.MetaAttachmentMetadata})).Scan(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, m := range metas {
		if m.Key == schema.MetaAttachedFile {
			known[m.Value] = true
			continue
		}
		addVersions(known, m.Value)
	}
	return known, nil
}

// addVersions adds the files that the serialized metadata of an image names.
func addVersions(known map[string]bool, stored string) {
	v, err := phpval.Unserialize(stored)
	described, ok := v.(*phpval.Array)
	if err != nil || !ok {
		return
	}
	text := func(a *phpval.Array, name string) string {
		v, _ := a.Get(name)
		return phpval.Text(v)
	}
	main := text(described, "file")
	known[main] = true
	known[path.Join(path.Dir(main), text(described, "original_image"))] = true
	sizes, _ := described.Get("sizes")
	if all, ok := sizes.(*phpval.Array); ok {
		for _, v := range all.All() {
			if size, ok := v.(*phpval.Array); ok {
				known[path.Join(path.Dir(main), text(size, "file"))] = true
			}
		}
	}
}
