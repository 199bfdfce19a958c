// A second gateway on the same databases, for what the first one is not set up for, and the commands of its operator.
// COUNTERSIGN_BIN is the directory of the program; without it, what needs it is left out.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { preview } from "vite";
import { dir } from "./kit.mjs";

export const LEFT_OUT = { context: { close() {} }, wrong: [], isSkipped: true, note: "COUNTERSIGN_BIN is not set" };

export const free = () =>
  new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

export const program = () => `${process.env.COUNTERSIGN_BIN}/countersign`;

/** The settings of the first gateway, for another process of the program. */
export async function environment() {
  const settings = JSON.parse(await readFile(`${dir}/settings.json`, "utf8"));
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    RUST_LOG: "warn",
    COUNTERSIGN_LOG_FORMAT: "text",
    COUNTERSIGN_DATABASE_URL: settings.database_url,
    COUNTERSIGN_REDIS_URL: settings.redis_url,
    COUNTERSIGN_RESTATE_INGRESS_URL: settings.restate_ingress_url,
    COUNTERSIGN_MASTER_KEY_FILE: settings.master_key_file,
  };
}

/** The pages at `url`, which the gateway knows as its own address, and the gateway behind them. */
export async function secondGateway(url, env = {}) {
  const port = await free();
  const child = spawn(program(), ["serve"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...(await environment()),
      COUNTERSIGN_LISTEN: `127.0.0.1:${port}`,
      COUNTERSIGN_PUBLIC_URL: url,
      ...env,
    },
  });
  const target = `http://127.0.0.1:${port}`;
  for (
    let tries = 0;
    !(await fetch(`${target}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    ));
    tries += 1
  ) {
    assert.ok(tries < 150 && child.exitCode === null, "the second gateway is not ready");
    await new Promise((done) => setTimeout(done, 200));
  }
  const { hostname, port: at } = new URL(url);
  const proxy = Object.fromEntries(
    ["/v1", "/.well-known"].map((path) => [path, { target, changeOrigin: false, headers: { origin: url } }]),
  );
  const pages = await preview({
    preview: { port: Number(at), strictPort: true, host: hostname, proxy },
    logLevel: "error",
  });
  return () => {
    child.kill("SIGTERM");
    pages.httpServer.closeAllConnections();
    pages.httpServer.close();
  };
}
