// Checks that a generator made something of every operation of the document: count.mjs DOCUMENT NAME FILE... fails with those that are in
// none of the files, as NAME says: {id}, or {Id} with a capital letter.
import { readFileSync } from "node:fs";

const [document, pattern, ...files] = process.argv.slice(2);
const text = files.map((file) => readFileSync(file, "utf8")).join("\n");
const ids = Object.values(JSON.parse(readFileSync(document, "utf8")).paths).flatMap((path) => Object.values(path).map((o) => o.operationId));
const lost = ids.filter((id) => !text.includes(pattern.replace("{id}", id).replace("{Id}", id[0].toUpperCase() + id.slice(1))));
if (ids.length === 0 || lost.length > 0) {
  console.error(`${files}: lost of ${ids.length} operations: ${lost}`);
  process.exit(1);
}
console.log(`${ids.length} operations in ${files}`);
