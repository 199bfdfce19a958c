// The bands of spaces: what each means, which space has which, and changing one with what it would do.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/notices";
import { plain } from "../text/visible";
import { Line } from "../text/Visible";
import { Badge, Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { BAND_NAMES, BANDS } from "./bands";
import { Forecast, useReviewed } from "./Forecast";
import { outlook } from "./outlook";
import { type Band, matrix, policyChanged, rules, type Space, spaces } from "./queries";

export function Bands() {
  const { data, error } = useQuery(spaces);
  const [asked, setAsked] = useState<{ space: Space; to: Band } | null>(null);
  if (data === undefined) return error === null ? <Loading what="the spaces" /> : <ProblemCard error={error} />;
  return (
    <div className="space-y-6">
      <section className="space-y-2">
        <h2 className="eyebrow">Spaces</h2>
        <ul aria-label="Spaces" className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
          {data.items.map((space) => (
            <li key={space.id} className="flex flex-wrap items-center gap-3 px-4 py-3">
              <div className="min-w-0 flex-1 basis-56">
                <p className="font-medium"><Line text={space.name} /> <span className="font-normal text-faint"><Line text={space.slug} /></span></p>
                <p className="text-xs text-soft">{BANDS[space.risk_band as Band].says}</p>
              </div>
              <label>
                <span className="sr-only">Band of {plain(space.name)}</span>
                <select className="input" value={space.risk_band} onChange={(event) => setAsked({ space, to: event.target.value as Band })}>
                  {BAND_NAMES.map((band) => <option key={band} value={band}>{band}</option>)}
                </select>
              </label>
            </li>
          ))}
        </ul>
      </section>
      <section className="space-y-2">
        <h2 className="eyebrow">What a band does</h2>
        <dl className="grid gap-3 sm:grid-cols-2">
          {BAND_NAMES.map((band) => (
            <div key={band} className="space-y-1 rounded-xl border border-edge bg-card p-4">
              <dt><Badge tone={BANDS[band].tone}>{band}</Badge></dt>
              <dd><span className="block">{BANDS[band].says[0]?.toUpperCase()}{BANDS[band].says.slice(1)}.</span><span className="block text-xs text-faint">{BANDS[band].more}</span></dd>
            </div>
          ))}
        </dl>
      </section>
      {asked !== null && <Ask space={asked.space} to={asked.to} onClose={() => setAsked(null)} />}
    </div>
  );
}

function Ask({ space, to, onClose }: { space: Space; to: Band; onClose: () => void }) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const all = useQuery(rules).data;
  const data = useQuery(matrix(space.slug, "")).data;
  const reviewed = useReviewed();
  const changes = all === undefined || data === undefined || reviewed === null ? null : outlook(data.rows, { rules: all, band: data.band }, { rules: all, band: to }, null, reviewed);
  const isLooser = BAND_NAMES.indexOf(to) < BAND_NAMES.indexOf(space.risk_band as Band);
  const save = async () => {
    setBusy(true);
    try {
      await take(api.PATCH("/v1/spaces/{space}", { params: { path: { space: space.id } }, body: { risk_band: to } }));
      await policyChanged();
      notify("good", `${plain(space.name)} is ${to}`, `${BANDS[to].says[0]?.toUpperCase()}${BANDS[to].says.slice(1)}.`);
      onClose();
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Make ${plain(space.name)} ${to}?`} about={<>It is <Badge tone={BANDS[space.risk_band as Band].tone}>{space.risk_band}</Badge> now</>} isOpen onClose={onClose}>
      <div className="space-y-4">
        <p>In this space, from the next decision on: {BANDS[to].says}. {BANDS[to].more}</p>
        {isLooser && <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">This is looser than before. Rules and grants that the band held back count again.</p>}
        <Forecast changes={changes} />
        {error !== null && <ProblemCard error={error} />}
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button look={isLooser ? "bad" : "primary"} disabled={isBusy} onClick={() => void save()}>Make it {to}</Button>
          <Button look="quiet" onClick={onClose}>Back</Button>
        </div>
      </div>
    </Dialog>
  );
}
