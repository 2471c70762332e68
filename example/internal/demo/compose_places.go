package demo

import (
	"cmp"
	"time"

	"github.com/agendahq/agenda/example/internal/languages"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// addImages adds an attachment for each image. The metadata names the sizes that Images serves.
func (c *composer) addImages() {
	for i, p := range c.Pictures {
		full := sizes[0]
		at := c.now.AddDate(0, 0, -120).Add(time.Duration(i) * time.Hour)
		post := c.post(schema.TypeAttachment, schema.StatusInherit, "poster-"+p.Key, p.Title, "", c.ids["user/editor"], at)
		post.MimeType, post.GUID = "image/jpeg", c.home+UploadsPath+p.file(full)
		c.ids["image/"+p.Key] = post.ID
		for _, row := range [][2]string{
			{schema.MetaAttachedFile, p.file(full)},
			{schema.MetaAttachmentMetadata, phpval.Serialize(metadata(p))},
			{"_wp_attachment_image_alt", p.Title},
		} {
			c.meta = append(c.meta, &schema.PostMeta{ID: int64(len(c.meta) + 1), PostID: post.ID, Key: row[0], Value: row[1]})
		}
	}
}

// metadata returns the metadata of an image in the form that WordPress stores. It omits file sizes, as in older
// uploads, since the images are not encoded yet.
func metadata(p picture) *phpval.Array {
	var forms phpval.Array
	for _, s := range sizes[1:] {
		forms.Set(phpval.StrKey(s.Name), assoc(
			"file", p.file(s)[len(imageDir)+1:], "width", int64(s.Width), "height", int64(s.Height), "mime-type", "image/jpeg"))
	}
	info := assoc("aperture", "0", "credit", "", "camera", "", "caption", "", "created_timestamp", "0", "copyright", "",
		"focal_length", "0", "iso", "0", "shutter_speed", "0", "title", "", "orientation", "0", "keywords", phpval.List())
	full := sizes[0]
	return assoc("width", int64(full.Width), "height", int64(full.Height), "file", p.file(full), "sizes", &forms, "image_meta", info)
}

// assoc returns an array of alternating keys and values.
func assoc(pairs ...any) *phpval.Array {
	var a phpval.Array
	for i := 0; i+1 < len(pairs); i += 2 {
		a.Set(phpval.StrKey(pairs[i].(string)), pairs[i+1])
	}
	return &a
}

// addVenue adds a venue in all languages.
func (c *composer) addVenue(v venue, n int) {
	at := c.now.AddDate(0, 0, -100).Add(time.Duration(n) * 29 * time.Hour)
	versions := map[string]int64{}
	for _, l := range c.Languages {
		s := v.In[l.Code]
		post := c.post(c.names.Venue, schema.StatusPublish, s.Slug, s.Name, s.Text, c.ids["user/editor"], at)
		post.GUID = c.guid(post, "venue", l.Code)
		c.ids["venue/"+v.Key+"/"+l.Code], versions[l.Code] = post.ID, post.ID
		m := metas{
			{schema.MetaVenueOrigin, origin}, {schema.MetaShowMapLink, "1"}, {schema.MetaShowMap, "1"},
			{schema.MetaVenueShowMapLink, "1"}, {schema.MetaVenueShowMap, "1"},
		}
		m.given(schema.MetaThumbnailID, c.image(v.Image))
		m.addMeta(schema.MetaVenueAddress, s.Street)
		m.addMeta(schema.MetaVenueCity, cmp.Or(s.City, l.Town))
		m.addMeta(schema.MetaVenueCountry, cmp.Or(s.Country, l.Country))
		m.addMeta(schema.MetaVenueStateProvince, "")
		m.addMeta(schema.MetaVenueZip, v.Zip)
		m.given(schema.MetaVenuePhone, v.Phone)
		m.given(schema.MetaVenueURL, v.Website)
		m.given(schema.MetaVenueLat, v.Lat)
		m.given(schema.MetaVenueLng, v.Lng)
		c.addMeta(post.ID, at, nil, m)
		c.setLanguage(post, l.Code)
	}
	c.addGroup(languages.PostsGroups, "venue/"+v.Key, versions)
}

// addOrganizer adds an organizer in all languages.
func (c *composer) addOrganizer(o organizer, n int) {
	at := c.now.AddDate(0, 0, -90).Add(time.Duration(n) * 31 * time.Hour)
	versions := map[string]int64{}
	for _, l := range c.Languages {
		is := o.In[l.Code]
		post := c.post(c.names.Organizer, schema.StatusPublish, is.Slug, is.Name, is.Text, c.ids["user/admin"], at)
		post.GUID = c.guid(post, "organizer", l.Code)
		c.ids["organizer/"+o.Key+"/"+l.Code], versions[l.Code] = post.ID, post.ID
		m := metas{{schema.MetaOrganizerOrigin, origin}}
		m.given(schema.MetaOrganizerPhone, o.Phone)
		m.given(schema.MetaOrganizerWebsite, o.Website)
		m.given(schema.MetaOrganizerEmail, o.Email)
		c.addMeta(post.ID, at, nil, m)
		c.setLanguage(post, l.Code)
	}
	c.addGroup(languages.PostsGroups, "organizer/"+o.Key, versions)
}

// origin is what The Events Calendar stores for items that were created on the site itself.
const origin = "events-calendar"
