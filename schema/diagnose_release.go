package schema

import (
	"context"

	"github.com/agendahq/agenda/internal/wp/release"
	"github.com/agendahq/agenda/internal/wp/render"
)

// askRelease reports the release of WordPress and how it was determined.
func askRelease(ctx context.Context, p *examinedDB) ([]Finding, error) {
	options, _, err := p.options(ctx, ReleaseOptions()...)
	if err != nil {
		return nil, err
	}
	found := release.OfSite(options, OwnMark(options), ActivePlugins(options))
	switch {
	case found.From == OptionOwn:
		return []Finding{finding(OK, "", "", "made by agenda: texts are shown and filtered as WordPress %s does", found.Release)}, nil
	case found.Newer:
		return []Finding{finding(Warning, found.From, "update agenda, or see what the release changed",
			"%q is newer than the WordPress releases that agenda knows: texts are shown and filtered as WordPress %s does", found.Version,
			found.Release)}, nil
	case found.From == "":
		return []Finding{finding(Note, release.Database, "if that is wrong, use --wordpress",
			"the site does not say its release of WordPress: texts are shown and filtered as WordPress %s does", found.Release)}, nil
	}
	return []Finding{finding(OK, "", "", "texts are shown and filtered as WordPress %s does, by the option %s (%s)", found.Release,
		found.From, found.Version)}, nil
}

// askTheme reports the theme of the site, and whether its layouts are known.
func askTheme(ctx context.Context, p *examinedDB) ([]Finding, error) {
	options, _, err := p.options(ctx, "stylesheet", "template")
	if err != nil {
		return nil, err
	}
	name := options["stylesheet"]
	known := render.ThemeOf(name, options["template"], "").Name
	switch {
	case name == "":
		return []Finding{finding(OK, "", "", "the site names no theme: blocks have the classes of %s", known)}, nil
	case known == "":
		return []Finding{finding(Note, "stylesheet", "", "the theme %q is unknown: of its layouts and block styles, blocks show those "+
			"that all themes have and those that users have set", name)}, nil
	}
	changed, err := p.NewSelect().Model((*Post)(nil)).Where("post_name = ?", "wp-global-styles-"+name).
		Where("post_type = ?", TypeUserStyles).Where("post_status = ?", StatusPublish).Exists(ctx)
	text := "blocks have the classes of the theme %s"
	if name != known {
		text = "blocks have the classes of %s, the parent of the theme"
	}
	if changed {
		text += ", with what users changed of it"
	}
	return []Finding{finding(OK, "", "", text, known)}, err
}
