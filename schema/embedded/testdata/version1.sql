-- The tables of a file of version 1, with a published event.
CREATE TABLE "wp_posts" (
  "ID" INTEGER PRIMARY KEY AUTOINCREMENT,
  "post_author" INTEGER NOT NULL DEFAULT 0,
  "post_date" TEXT NOT NULL DEFAULT '0000-00-00 00:00:00',
  "post_date_gmt" TEXT NOT NULL DEFAULT '0000-00-00 00:00:00',
  "post_content" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "post_title" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "post_excerpt" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "post_status" TEXT COLLATE site_ci NOT NULL DEFAULT 'publish',
  "comment_status" TEXT COLLATE site_ci NOT NULL DEFAULT 'open',
  "ping_status" TEXT COLLATE site_ci NOT NULL DEFAULT 'open',
  "post_password" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "post_name" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "to_ping" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "pinged" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "post_modified" TEXT NOT NULL DEFAULT '0000-00-00 00:00:00',
  "post_modified_gmt" TEXT NOT NULL DEFAULT '0000-00-00 00:00:00',
  "post_content_filtered" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "post_parent" INTEGER NOT NULL DEFAULT 0,
  "guid" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "menu_order" INTEGER NOT NULL DEFAULT 0,
  "post_type" TEXT COLLATE site_ci NOT NULL DEFAULT 'post',
  "post_mime_type" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "comment_count" INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX "wp_posts_post_name" ON "wp_posts" ("post_name");
CREATE INDEX "wp_posts_type_status_date" ON "wp_posts" ("post_type", "post_status", "post_date", "ID");
CREATE INDEX "wp_posts_post_parent" ON "wp_posts" ("post_parent");
CREATE INDEX "wp_posts_post_author" ON "wp_posts" ("post_author");
CREATE INDEX "wp_posts_type_status_author" ON "wp_posts" ("post_type", "post_status", "post_author");
CREATE TABLE "wp_postmeta" (
  "meta_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "post_id" INTEGER NOT NULL DEFAULT 0,
  "meta_key" TEXT COLLATE site_ci DEFAULT NULL,
  "meta_value" TEXT COLLATE site_ci DEFAULT NULL
);
CREATE INDEX "wp_postmeta_post_id" ON "wp_postmeta" ("post_id");
CREATE INDEX "wp_postmeta_meta_key" ON "wp_postmeta" ("meta_key");
CREATE INDEX "wp_postmeta_agenda_value" ON "wp_postmeta" ("meta_key", "meta_value", "post_id");
CREATE INDEX "wp_postmeta_agenda_post" ON "wp_postmeta" ("post_id", "meta_key");
CREATE TABLE "wp_terms" (
  "term_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "name" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "slug" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "term_group" INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX "wp_terms_slug" ON "wp_terms" ("slug");
CREATE INDEX "wp_terms_name" ON "wp_terms" ("name");
CREATE TABLE "wp_termmeta" (
  "meta_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "term_id" INTEGER NOT NULL DEFAULT 0,
  "meta_key" TEXT COLLATE site_ci DEFAULT NULL,
  "meta_value" TEXT COLLATE site_ci DEFAULT NULL
);
CREATE INDEX "wp_termmeta_term_id" ON "wp_termmeta" ("term_id");
CREATE INDEX "wp_termmeta_meta_key" ON "wp_termmeta" ("meta_key");
CREATE TABLE "wp_term_taxonomy" (
  "term_taxonomy_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "term_id" INTEGER NOT NULL DEFAULT 0,
  "taxonomy" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "description" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "parent" INTEGER NOT NULL DEFAULT 0,
  "count" INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX "wp_term_taxonomy_term_id_taxonomy" ON "wp_term_taxonomy" ("term_id", "taxonomy");
CREATE INDEX "wp_term_taxonomy_taxonomy" ON "wp_term_taxonomy" ("taxonomy");
CREATE TABLE "wp_term_relationships" (
  "object_id" INTEGER NOT NULL DEFAULT 0,
  "term_taxonomy_id" INTEGER NOT NULL DEFAULT 0,
  "term_order" INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY ("object_id", "term_taxonomy_id")
);
CREATE INDEX "wp_term_relationships_term_taxonomy_id" ON "wp_term_relationships" ("term_taxonomy_id");
CREATE TABLE "wp_users" (
  "ID" INTEGER PRIMARY KEY AUTOINCREMENT,
  "user_login" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "user_pass" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "user_nicename" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "user_email" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "user_url" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "user_registered" TEXT NOT NULL DEFAULT '0000-00-00 00:00:00',
  "user_activation_key" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "user_status" INTEGER NOT NULL DEFAULT 0,
  "display_name" TEXT COLLATE site_ci NOT NULL DEFAULT ''
);
CREATE INDEX "wp_users_user_login_key" ON "wp_users" ("user_login");
CREATE INDEX "wp_users_user_nicename" ON "wp_users" ("user_nicename");
CREATE INDEX "wp_users_user_email" ON "wp_users" ("user_email");
CREATE TABLE "wp_usermeta" (
  "umeta_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "user_id" INTEGER NOT NULL DEFAULT 0,
  "meta_key" TEXT COLLATE site_ci DEFAULT NULL,
  "meta_value" TEXT COLLATE site_ci DEFAULT NULL
);
CREATE INDEX "wp_usermeta_user_id" ON "wp_usermeta" ("user_id");
CREATE INDEX "wp_usermeta_meta_key" ON "wp_usermeta" ("meta_key");
CREATE TABLE "wp_options" (
  "option_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "option_name" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "option_value" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "autoload" TEXT COLLATE site_ci NOT NULL DEFAULT 'yes'
);
CREATE UNIQUE INDEX "wp_options_option_name" ON "wp_options" ("option_name");
CREATE INDEX "wp_options_autoload" ON "wp_options" ("autoload");
CREATE TABLE "wp_tec_events" (
  "event_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "post_id" INTEGER NOT NULL,
  "start_date" TEXT NOT NULL,
  "end_date" TEXT DEFAULT NULL,
  "timezone" TEXT COLLATE site_ci NOT NULL DEFAULT 'UTC',
  "start_date_utc" TEXT NOT NULL,
  "end_date_utc" TEXT DEFAULT NULL,
  "duration" INTEGER DEFAULT 7200,
  "updated_at" TEXT DEFAULT CURRENT_TIMESTAMP,
  "hash" TEXT NOT NULL
);
CREATE UNIQUE INDEX "wp_tec_events_post_id" ON "wp_tec_events" ("post_id");
CREATE TABLE "wp_tec_occurrences" (
  "occurrence_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "event_id" INTEGER NOT NULL,
  "post_id" INTEGER NOT NULL,
  "start_date" TEXT NOT NULL,
  "start_date_utc" TEXT NOT NULL,
  "end_date" TEXT NOT NULL,
  "end_date_utc" TEXT NOT NULL,
  "duration" INTEGER DEFAULT 7200,
  "hash" TEXT NOT NULL,
  "updated_at" TEXT DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "wp_tec_occurrences_hash" ON "wp_tec_occurrences" ("hash");
CREATE INDEX "wp_tec_occurrences_event_id" ON "wp_tec_occurrences" ("event_id");
CREATE INDEX "wp_tec_occurrences_idx_wp_tec_occurrences_post_id_dates" ON "wp_tec_occurrences" ("post_id", "end_date", "start_date");
CREATE INDEX "wp_tec_occurrences_idx_wp_tec_occurrences_post_id_dates_utc" ON "wp_tec_occurrences" ("post_id", "end_date_utc", "start_date_utc");
CREATE INDEX "wp_tec_occurrences_agenda_start" ON "wp_tec_occurrences" ("start_date", "end_date", "post_id");
CREATE INDEX "wp_tec_occurrences_agenda_start_utc" ON "wp_tec_occurrences" ("start_date_utc", "end_date_utc", "post_id");
CREATE INDEX "wp_tec_occurrences_agenda_end" ON "wp_tec_occurrences" ("end_date");
CREATE INDEX "wp_tec_occurrences_agenda_end_utc" ON "wp_tec_occurrences" ("end_date_utc");
CREATE TABLE "wp_agenda_idempotency" (
  "request_key" TEXT NOT NULL,
  "fingerprint" TEXT NOT NULL,
  "expires" INTEGER NOT NULL DEFAULT 0,
  "answer" BLOB DEFAULT NULL,
  PRIMARY KEY ("request_key")
);
CREATE INDEX "wp_agenda_idempotency_expires" ON "wp_agenda_idempotency" ("expires");
INSERT INTO "wp_options" ("option_name", "option_value") VALUES ('home', 'http://localhost:8080');
INSERT INTO "wp_posts" ("ID", "post_title", "post_name", "post_type") VALUES (7, 'Concert', 'concert', 'tribe_events');
INSERT INTO "wp_tec_events" ("event_id", "post_id", "start_date", "end_date", "start_date_utc", "end_date_utc", "hash")
VALUES (1, 7, '2031-05-01 10:00:00', '2031-05-01 12:00:00', '2031-05-01 10:00:00', '2031-05-01 12:00:00', '');
INSERT INTO "wp_tec_occurrences" ("event_id", "post_id", "start_date", "end_date", "start_date_utc", "end_date_utc", "hash")
VALUES (1, 7, '2031-05-01 10:00:00', '2031-05-01 12:00:00', '2031-05-01 10:00:00', '2031-05-01 12:00:00', 'a');
PRAGMA user_version = 1;
