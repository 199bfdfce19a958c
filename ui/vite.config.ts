// How the web is built, and how it is served while one works on it: `/v1` goes to a gateway (COUNTERSIGN_URL), and the
// preview of the built files has the headers a gateway will send, so that what they forbid is seen early.
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const gateway = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:8080";
const proxy = Object.fromEntries(["/v1", "/.well-known"].map((path) => [path, { target: gateway, changeOrigin: false }]));

// The same as in crates/gateway/src/web.rs.
const csp = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

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
