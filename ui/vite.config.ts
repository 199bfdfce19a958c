// How the web is built, and how it is served while one works on it: `/v1` goes to a gateway (COUNTERSIGN_URL), and the
// preview of the built files has the headers a gateway will send, so that what they forbid is seen early.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const gateway = process.env.COUNTERSIGN_URL ?? "http://127.0.0.1:8080";
// A gateway that knows its own address takes changes from there alone; these pages stand in for its own.
const proxy = Object.fromEntries(
  ["/v1", "/.well-known"].map((path) => [path, { target: gateway, changeOrigin: true, headers: { origin: gateway } }]),
);

/** The very one a gateway sends. */
const csp = readFileSync(new URL("policy.txt", import.meta.url), "utf8").trim();

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: {
      // The original writes a style element into the page, which the policy above refuses.
      "react-remove-scroll": fileURLToPath(new URL("src/ui/scroll-lock.tsx", import.meta.url)),
    },
  },
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
  // The examples of automations are the starting points of new ones.
  server: { host: "127.0.0.1", proxy, fs: { allow: [".", "../examples"] } },
  preview: {
    host: "127.0.0.1",
    proxy,
    headers: {
      "content-security-policy": csp,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    },
  },
});
