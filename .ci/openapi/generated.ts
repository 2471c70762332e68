// Clients that hey-api and orval make of the document, with the schemas of zod by which orval checks answers. Each lists, creates, updates,
// keeps a copy and deletes at the example.
import assert from "node:assert/strict";
import { client } from "./heyapi/client.gen.js";
import * as heyapi from "./heyapi/sdk.gen.js";
import * as orval from "./orval/client.js";
import * as zod from "./orval/zod.js";

const [root, login, password] = process.argv.slice(2);
assert(root && login && password, "usage: generated ROOT LOGIN PASSWORD");
const headers = { Authorization: "Basic " + Buffer.from(`${login}:${password}`).toString("base64") };
const dates = { start_date: "2031-05-01 10:00", end_date: "2031-05-01 12:00" };

async function withHeyAPI(): Promise<void> {
  client.setConfig({ baseUrl: root as string });
  const page = await heyapi.listEvents({ query: { per_page: 3, start_date: "2000-01-01", orderby: "title" }, throwOnError: true });
  assert(page.data.total > 3 && page.data.events.length === 3);
  const ids = page.data.events.map((e) => e.id);
  const same = await heyapi.listEvents({ query: { include: ids, start_date: "2000-01-01" }, throwOnError: true });
  assert.equal(same.data.events.length, 3);
  const made = await heyapi.createEvent({ headers, body: { title: "Made by hey-api", ...dates }, throwOnError: true });
  const path = { id: made.data.id };
  const changed = await heyapi.patchEvent({ headers, path, body: { title: "Changed" }, throwOnError: true });
  assert.deepEqual([changed.data.title, changed.data.all_day], ["Changed", false]);
  const refused = await heyapi.putEvent({ path, body: { title: "Refused" } });
  assert.equal(refused.error?.code, "rest_forbidden");
  const copy = await heyapi.syncTags({ throwOnError: true });
  assert(copy.data.tags.length > 0 && (copy.data.next_sync_token || copy.data.next_rest_url));
  await heyapi.deleteEvent({ headers, path, query: { force: true }, throwOnError: true });
}

async function withOrval(): Promise<void> {
  // The client of orval asks the address of the document, as far as it is told: below the root here.
  const plain = globalThis.fetch;
  globalThis.fetch = (to, init) => plain(String(to).startsWith("/") ? root + String(to) : to, init);
  const page = await orval.listEvents({ per_page: 3, start_date: "2000-01-01" });
  assert(page.status === 200);
  assert.equal(zod.ListEventsResponse.parse(page.data).events.length, 3);
  const made = await orval.createEvent({ title: "Made by orval", ...dates }, undefined, {
    headers: { ...headers, "Content-Type": "application/json" },
  });
  assert(made.status === 201);
  const event = zod.CreateEventResponse.parse(made.data);
  const read = await orval.getEvent(event.id, undefined);
  assert(read.status === 200);
  assert.equal(zod.GetEventResponse.parse(read.data).title, "Made by orval");
  assert.throws(() => zod.GetEventResponse.parse({ ...read.data, title: 1 }));
  for (const [list, schema] of [
    [await orval.listVenues(), zod.ListVenuesResponse], [await orval.listCategories(), zod.ListCategoriesResponse],
    [await orval.syncOrganizers(), zod.SyncOrganizersResponse],
  ] as const) {
    assert.equal(list.status, 200);
    schema.parse(list.data);
  }
  const gone = await orval.deleteEvent(event.id, { force: true }, { headers });
  assert.equal(gone.status, 200);
}

await withHeyAPI();
await withOrval();
console.log(`hey-api, orval and zod: listed, created, updated, copied and deleted at ${root}`);
