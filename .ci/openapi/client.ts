// A small client of the API, whose types are made of its OpenAPI document. It is
// compiled against them and run against the example: what the document says of
// bodies and answers is what a program can rely on.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const [root, login, password] = process.argv.slice(2);
assert(root && login && password, "usage: client ROOT LOGIN PASSWORD");

// Lists are separated by commas, as the document says of every one of them.
const querySerializer = { array: { style: "form", explode: false } } as const;
const anonymous = createClient<paths>({ baseUrl: root, querySerializer });
const admin = createClient<paths>({
  baseUrl: root,
  querySerializer,
  headers: { Authorization: "Basic " + Buffer.from(`${login}:${password}`).toString("base64") },
});

/** The answer of a call that has to succeed. */
function must<T>(result: { data?: T; error?: unknown; response: Response }, status: number): T {
  const { data, error, response } = result;
  assert.equal(response.status, status, `${response.url}: ${JSON.stringify(error)}`);
  assert(data !== undefined);
  return data;
}

async function list(): Promise<void> {
  const page = must(await anonymous.GET("/events", { params: { query: { per_page: 3, start_date: "2000-01-01", orderby: "title" } } }), 200);
  assert(page.total > 3 && page.events.length === 3 && page.next_rest_url);
  const titles = page.events.map((e) => e.title);
  const same = must(await anonymous.GET("/events", { params: { query: { include: page.events.map((e) => e.id), orderby: "title" } } }), 200);
  assert.deepEqual(same.events.map((e) => e.title), titles);
  // @ts-expect-error objects are closed: a member that is not documented is a mistake
  assert.equal(page.events[0]?.nonsense, undefined);
}

/** The answer in another format has an address, and a type, of its own. */
async function subscribe(): Promise<void> {
  const feed: string = must(await anonymous.GET("/events/ics", { params: { query: { start_date: "2000-01-01" } }, parseAs: "text" }), 200);
  assert(feed.startsWith("BEGIN:VCALENDAR"));
}

async function create() {
  const made = await admin.POST("/events", {
    body: {
      title: "Made by a generated client", start_date: "2031-05-01 10:00", end_date: "2031-05-01 17:00", timezone: "Europe/Brussels",
      cost: ["€ 10", "€ 20"], featured: true, categories: ["Generated"],
      venue: { venue: "Generated hall", city: "Gent" }, organizer: [{ organizer: "Generated friends", email: "friends@example.org" }],
    },
  });
  const event = must(made, 201);
  assert.equal(made.response.headers.get("Location"), event.rest_url);
  assert(!Array.isArray(event.venue)); // it is one object: there is one
  assert.equal(event.venue.venue, "Generated hall");
  assert.equal(event.organizer[0]?.email, "friends@example.org");
  assert.equal(event.start_date_details.hour, "10");
  assert.deepEqual([event.featured, event.all_day, event.cost_details.values], [true, false, ["10", "20"]]);
  return event;
}

/** An event as creating it is answered. */
type Made = Awaited<ReturnType<typeof create>>;

async function update(event: Made): Promise<void> {
  const path = { id: event.id };
  const read = await anonymous.GET("/events/{id}", { params: { path } });
  const before = must(read, 200);
  assert.equal(before.json_ld?.["@type"], "Event");
  const tag = read.response.headers.get("ETag");
  assert(tag);
  const patched = must(await admin.POST("/events/{id}", { params: { path, header: { "If-Match": tag } }, body: { title: "Changed" } }), 200);
  assert.deepEqual([patched.title, patched.start_date, patched.featured], ["Changed", before.start_date, true]);
  const late = await admin.POST("/events/{id}", { params: { path, header: { "If-Match": tag } }, body: { title: "Too late" } });
  assert.equal(late.error?.code, "rest_precondition_failed");
  const slug = { slug: patched.slug };
  must(await admin.POST("/events/by-slug/{slug}", { params: { path: slug }, body: { description: "By its slug" } }), 200);
  const edited = must(await admin.GET("/events/by-slug/{slug}", { params: { path: slug, query: { context: "edit" } } }), 200);
  assert.equal(edited.description_raw, "By its slug");
}

async function refusals(event: Made): Promise<void> {
  // @ts-expect-error a title is required
  const missing = await admin.POST("/events", { body: { start_date: "2031-05-01", end_date: "2031-05-01" } });
  assert.equal(missing.response.status, 400);
  assert(missing.error && Array.isArray(missing.error.data.params));
  assert.deepEqual(missing.error.data.params, ["title"]);
  const stranger = await anonymous.DELETE("/events/{id}", { params: { path: { id: event.id } } });
  assert.equal(stranger.error?.code, "rest_forbidden");
}

async function remove(event: Made): Promise<void> {
  const path = { id: event.id };
  assert.equal(must(await admin.DELETE("/events/{id}", { params: { path } }), 200).status, "trash");
  const again = await admin.DELETE("/events/{id}", { params: { path } });
  assert.equal(again.error?.code, "event-is-in-trash");
  must(await admin.DELETE("/events/{id}", { params: { path, query: { force: true } } }), 200);
  const gone = await anonymous.GET("/events/{id}", { params: { path } });
  assert.equal(gone.error?.code, "rest-event-not-found");
}

/** What an event brought with it: a venue, an organizer and a category. */
async function others(event: Made): Promise<void> {
  assert(!Array.isArray(event.venue));
  const venue = must(await admin.POST("/venues/{id}", { params: { path: { id: event.venue.id } }, body: { zip: "9000" } }), 200);
  assert.deepEqual([venue.zip, venue.city, venue.show_map], ["9000", "Gent", true]);
  must(await admin.DELETE("/venues/{id}", { params: { path: { id: venue.id }, query: { force: true } } }), 200);
  const organizer = event.organizer[0];
  assert(organizer);
  must(await admin.DELETE("/organizers/{id}", { params: { path: { id: organizer.id }, query: { force: true } } }), 200);
  const terms = must(await anonymous.GET("/categories", { params: { query: { search: "Generated", hide_empty: false } } }), 200);
  const [category] = terms.categories;
  assert(category?.count === 0);
  const renamed = must(await admin.POST("/categories/{id}", { params: { path: { id: category.id } }, body: { name: "Renamed" } }), 200);
  assert(renamed._links && renamed.name === "Renamed");
  must(await admin.DELETE("/categories/{id}", { params: { path: { id: category.id } } }), 200);
}

await list();
await subscribe();
const event = await create();
await update(event);
await refusals(event);
await remove(event);
await others(event);
console.log(`listed, created, updated and deleted at ${root}`);
