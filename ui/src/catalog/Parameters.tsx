// The parameters of an action.
import { useMemo } from "react";
import { Block, Line } from "../text/Visible";
import { MAX_PARAMETERS, parameters } from "./parameters";

export function Parameters({ schema }: { schema: unknown }) {
  const all = useMemo(() => parameters(schema), [schema]);
  if (all.length === 0) return <p className="text-soft">No parameters.</p>;
  return (
    <div>
      <dl className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
        {all.map((row) => (
          <div key={row.path} className="grid gap-x-4 gap-y-0.5 px-3 py-2 sm:grid-cols-[12rem_minmax(0,1fr)]">
            <dt className="wrap-anywhere">
              <code className="font-mono text-[0.8125rem]">
                <Line text={row.path} />
              </code>{" "}
              {row.isRequired && <span className="text-xs text-warn">required</span>}
              <span className="block text-xs text-faint">
                <Line text={row.type} />
              </span>
            </dt>
            <dd className="min-w-0 text-soft">
              {row.about !== "" && <Block text={row.about} />}
              {row.limits.length > 0 && (
                <p className="text-xs wrap-anywhere text-faint">
                  {row.limits.map((limit, index) => (
                    <span key={index}>
                      {index > 0 && " · "}
                      <Line text={limit} />
                    </span>
                  ))}
                </p>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {all.length >= MAX_PARAMETERS && (
        <p className="mt-1 text-xs text-faint">Only the first {MAX_PARAMETERS} parameters are shown.</p>
      )}
    </div>
  );
}
