// The stream of a backtest ends with a result, or says why not.
import { expect, test, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://127.0.0.1", search: "" });
const { readResult } = await import("./run");
const { ApiError } = await import("../../api/client");

function streamOf(...pieces: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece));
      controller.close();
    },
  });
}

test("progress is told before the result", async () => {
  const told: unknown[] = [];
  const stream = streamOf('{"progress":{"do', 'ne":5,"of":10}}\n{"resu', 'lt":{"invocations":10}}\n');
  expect(await readResult(stream, (progress) => told.push(progress))).toEqual({ invocations: 10 });
  expect(told).toEqual([{ done: 5, of: 10 }]);
});

test("a result without a line break at the end counts", async () => {
  expect(await readResult(streamOf('{"result":{"invocations":1}}'), () => undefined)).toEqual({ invocations: 1 });
});

test("a problem in the stream is the problem of the gateway", async () => {
  const failed = readResult(
    streamOf('{"problem":{"code":"storage","title":"Database unavailable"}}\n'),
    () => undefined,
  );
  await expect(failed).rejects.toSatisfy((error) => error instanceof ApiError && error.problem.code === "storage");
});

test("a stream that ends early is no result", async () => {
  const failed = readResult(streamOf('{"progress":{"done":5,"of":10}}\n'), () => undefined);
  await expect(failed).rejects.toSatisfy((error) => error instanceof ApiError && error.status === 0);
});
