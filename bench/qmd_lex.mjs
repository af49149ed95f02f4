// Asks qmd's full-text search many questions in one process, through the package's own library.
// Arguments: the package's folder, the pages, where the database may be made, a JSON file with the
// questions, how many answers to each. Prints a JSON list of lists of files, best first.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [packageDir, pages, dbPath, questionsFile, limit] = process.argv.slice(2);
const { createStore } = await import(pathToFileURL(join(packageDir, "dist/index.js")).href);
const config = { collections: { bench: { path: pages, pattern: "**/*.md" } } };
const store = await createStore({ dbPath, config });
await store.update();

const answers = [];
for (const question of JSON.parse(readFileSync(questionsFile, "utf8"))) {
  const hits = await store.searchLex(question, { limit: Number(limit) });
  answers.push(hits.map((hit) => hit.displayPath ?? hit.filepath ?? hit.file));
}
await store.close();
process.stdout.write(JSON.stringify(answers));
