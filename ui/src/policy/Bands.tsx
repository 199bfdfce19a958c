// The bands of spaces, and the effect of changing one.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/toasts";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge, Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { BAND_NAMES, BANDS } from "./bands";
import { Forecast, useReviewed } from "./Forecast";
import { outlook } from "./outlook";
import { type Band, matrix, policyChanged, rules, type Space, spaces } from "./queries";

export function Bands() {
  const { data, error } = useQuery(spaces);
  const [change, setChange] = useState<{ space: Space; to: Band } | null>(null);
  if (data === undefined) return error === null ? <Loading what="spaces" /> : <ProblemCard error={error} />;
  return (
    <div className="space-y-6">
      <section className="space-y-2">
        <h2 className="eyebrow">Spaces</h2>
        <ul aria-label="Spaces" className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
          {data.items.map((space) => (
            <li key={space.id} className="flex flex-wrap items-center gap-3 px-4 py-3">
              <div className="min-w-0 flex-1 basis-56">
                <p className="font-medium">
                  <Line text={space.name} />{" "}
                  <span className="font-normal text-faint">
                    <Line text={space.slug} />
                  </span>
                </p>
                <p className="text-xs text-soft">{BANDS[space.risk_band as Band].summary}</p>
              </div>
              <label>
                <span className="sr-only">Band of {plain(space.name)}</span>
                <select
                  className="input"
                  value={space.risk_band}
                  onChange={(event) => setChange({ space, to: event.target.value as Band })}
                >
                  {BAND_NAMES.map((band) => (
                    <option key={band} value={band}>
                      {band}
                    </option>
                  ))}
                </select>
              </label>
            </li>
          ))}
        </ul>
      </section>
      <section className="space-y-2">
        <h2 className="eyebrow">Bands</h2>
        <dl className="grid gap-3 sm:grid-cols-2">
          {BAND_NAMES.map((band) => (
            <div key={band} className="space-y-1 rounded-xl border border-edge bg-card p-4">
              <dt>
                <Badge tone={BANDS[band].tone}>{band}</Badge>
              </dt>
              <dd>
                <span className="block">
                  {BANDS[band].summary[0]?.toUpperCase()}
                  {BANDS[band].summary.slice(1)}.
                </span>
                <span className="block text-xs text-faint">{BANDS[band].details}</span>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {change !== null && <BandDialog space={change.space} to={change.to} onClose={() => setChange(null)} />}
    </div>
  );
}

function BandDialog({ space, to, onClose }: { space: Space; to: Band; onClose: () => void }) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const all = useQuery(rules).data;
  const data = useQuery(matrix(space.slug, "")).data;
  const reviewed = useReviewed();
  const changes =
    all === undefined || data === undefined || reviewed === null
      ? null
      : outlook(data.rows, { rules: all, band: data.band }, { rules: all, band: to }, null, reviewed);
  const isLooser = BAND_NAMES.indexOf(to) < BAND_NAMES.indexOf(space.risk_band as Band);
  const save = async () => {
    setBusy(true);
    try {
      await take(api.PATCH("/v1/spaces/{space}", { params: { path: { space: space.id } }, body: { risk_band: to } }));
      await policyChanged();
      notify(
        "good",
        `${plain(space.name)} is ${to}`,
        `${BANDS[to].summary[0]?.toUpperCase()}${BANDS[to].summary.slice(1)}.`,
      );
      onClose();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Set ${plain(space.name)} to ${to}?`}
      description={
        <>
          Currently <Badge tone={BANDS[space.risk_band as Band].tone}>{space.risk_band}</Badge>
        </>
      }
      isOpen
      onClose={onClose}
    >
      <div className="space-y-4">
        <p>
          In this space, {BANDS[to].summary}. {BANDS[to].details}
        </p>
        {isLooser && (
          <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
            This band is less strict. Rules and grants that the band blocked apply again.
          </p>
        )}
        <Forecast changes={changes} />
        {error !== null && <ProblemCard error={error} />}
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button variant={isLooser ? "bad" : "primary"} disabled={isBusy} onClick={() => void save()}>
            {" "}
            Set to {to}{" "}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
