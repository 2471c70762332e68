// What orval makes: a client, and schemas of zod that check what comes.
const input = { target: "./doc-en.json" };
export default {
  client: { input, output: { target: "./orval/client.ts", client: "fetch", mode: "single" } },
  zod: { input, output: { target: "./orval/zod.ts", client: "zod", mode: "single" } },
};
