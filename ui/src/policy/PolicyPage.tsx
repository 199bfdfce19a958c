// The policy page: matrix, rules, policies, grants and bands.
import { Link, useLocation } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useMay } from "../api/permissions";
import { isPart } from "../policies/parts";
import { Empty, Loading, PageHead } from "../ui/Bits";
import { Bands } from "./Bands";
import { Grants } from "./Grants";
import { MatrixPart } from "./MatrixPart";
import { Rules } from "./Rules";

const PoliciesPart = lazy(async () => ({ default: (await import("../policies/PoliciesPart")).PoliciesPart }));

const PARTS = [
  ["matrix", "Matrix"],
  ["rules", "Rules"],
  ["policies", "Policies"],
  ["grants", "Grants"],
  ["bands", "Bands"],
] as const;

export function PolicyPage() {
  const isAdmin = useMay("admin");
  const hash = useLocation({ select: (at) => at.hash });
  const inner = isPart(hash) ? hash : null;
  const part = inner === null ? (PARTS.find(([each]) => each === hash)?.[0] ?? "matrix") : "policies";
  return (
    <>
      <PageHead title="Policy" about="Decisions for each action and their reasons" />
      {isAdmin === undefined && <Loading what="your account" />}
      {isAdmin === false && (
        <Empty icon="policy" title="Only admins can see and change the policy">
          <p>
            The decision for each action is shown in the{" "}
            <Link to="/catalog" className="text-accent underline">
              catalog
            </Link>
            . To change it, ask an admin or owner.
          </p>
        </Empty>
      )}
      {isAdmin === true && (
        <>
          <nav
            aria-label="Policy"
            className="flex shrink-0 gap-1 overflow-x-auto border-b border-edge bg-card px-3 md:px-5"
          >
            {PARTS.map(([each, name]) => (
              <Link
                key={each}
                to="/policy"
                hash={each}
                aria-current={each === part ? "page" : undefined}
                className={`-mb-px border-b-2 px-2.5 py-2.5 md:py-2 ${
                  each === part
                    ? "border-accent font-medium text-accent"
                    : "border-transparent text-soft hover:text-ink"
                }`}
              >
                {name}
              </Link>
            ))}
          </nav>
          <div className="mx-auto w-full max-w-6xl p-4 md:p-6">
            {part === "matrix" && <MatrixPart />}
            {part === "rules" && <Rules />}
            {inner !== null && (
              <Suspense fallback={<Loading what="policies" />}>
                <PoliciesPart part={inner} />
              </Suspense>
            )}
            {part === "grants" && <Grants />}
            {part === "bands" && <Bands />}
          </div>
        </>
      )}
    </>
  );
}
