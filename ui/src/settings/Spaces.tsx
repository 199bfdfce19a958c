// The spaces: their names, how careful each is, and whether what leaves them is redacted.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/notices";
import { plain } from "../text/visible";
import { Line } from "../text/Visible";
import { Badge, type Tone } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Field, FormDialog, Tick } from "../ui/Form";
import { changed, type Space, spaces } from "./queries";
import { useMay } from "../api/who";
import { Heading, Row, Rows } from "./Rows";
import { slug } from "./slug";

const BANDS = ["green", "amber", "red", "black"] as const;
const MEANING: Record<string, string> = {
  green: "rules and risk alone decide",
  amber: "whatever writes needs a person, whatever the rules say",
  red: "as amber; and what is hard to undo (R3) is denied",
  black: "only computes and reads (R0, R1)",
};
const TONE: Record<string, Tone> = { green: "good", amber: "warn", red: "bad" };

export function Spaces() {
  const query = useQuery(spaces);
  const may = useMay("admin") === true;
  const [open, setOpen] = useState<Space | "new" | null>(null);
  return (
    <>
      <Heading title="Spaces" about="Sessions, automations and events live in a space. Its risk band can only make a decision stricter.">
        {may && <Button look="primary" onClick={() => setOpen("new")}>Add a space</Button>}
      </Heading>
      <Rows name="Spaces" query={query} none="There is none.">
        {(space) => (
          <Row key={space.id} about={<><code className="font-mono"><Line text={space.slug} /></code> · {MEANING[space.risk_band] ?? ""}</>}
            title={<><Line text={space.name} /><Badge tone={TONE[space.risk_band] ?? "plain"}>{space.risk_band}</Badge>{space.outbound_redaction && <Badge>redacts</Badge>}</>}>
            {may && <Button onClick={() => setOpen(space)} aria-label={`Change ${plain(space.name)}`}>Change</Button>}
          </Row>
        )}
      </Rows>
      <dl className="space-y-1 text-xs text-faint">
        {BANDS.map((band) => <div key={band} className="flex gap-2"><dt className="w-16 shrink-0 font-medium">{band}</dt><dd>{MEANING[band]}</dd></div>)}
      </dl>
      {open !== null && <Edit {...(open === "new" ? {} : { space: open })} onClose={() => setOpen(null)} />}
    </>
  );
}

function Edit({ space, onClose }: { space?: Space; onClose: () => void }) {
  const [name, setName] = useState(space?.name ?? "");
  const [address, setAddress] = useState<string | null>(null);
  const [risk_band, setBand] = useState(space?.risk_band ?? "green");
  const [outbound_redaction, setRedaction] = useState(space?.outbound_redaction ?? false);
  const send = useMutation({
    mutationFn: () =>
      space === undefined
        ? take(api.POST("/v1/spaces", { body: { name: name.trim(), slug: address ?? slug(name), risk_band } }))
        : take(api.PATCH("/v1/spaces/{space}", { params: { path: { space: space.id } }, body: { name: name.trim(), risk_band, outbound_redaction } })),
    onSuccess: async (kept) => {
      await changed("spaces");
      notify("good", space === undefined ? "Added" : "Changed", <><Line text={kept.name} /> is {kept.risk_band}: {MEANING[kept.risk_band] ?? ""}.</>);
      onClose();
    },
  });
  const isLooser = space !== undefined && BANDS.indexOf(risk_band as "green") < BANDS.indexOf(space.risk_band as "green");
  return (
    <FormDialog title={space === undefined ? "Add a space" : `Change ${plain(space.name)}`} does={space === undefined ? "Add" : "Keep"} isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      <Field name="Name"><input className="input" value={name} onChange={(event) => setName(event.target.value)} required maxLength={200} autoFocus /></Field>
      {space === undefined && (
        <Field name="Slug" hint="It names the space in addresses and commands, and never changes.">
          <input className="input font-mono" value={address ?? slug(name)} onChange={(event) => setAddress(event.target.value)} required spellCheck={false} />
        </Field>
      )}
      <fieldset className="space-y-2">
        <legend className="mb-1 font-medium">Risk band</legend>
        {BANDS.map((band) => (
          <label key={band} className="flex cursor-pointer items-baseline gap-2.5 rounded-lg border border-strong px-3 py-2 has-checked:border-accent has-checked:bg-accent-wash">
            <input type="radio" name="band" className="accent-accent" checked={risk_band === band} onChange={() => setBand(band)} />
            <span className="w-14 shrink-0 font-medium">{band}</span>
            <span className="text-xs text-soft">{MEANING[band]}</span>
          </label>
        ))}
      </fieldset>
      {isLooser && <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">This is less careful than before. What was held back by the band is decided by rules and risk from now on.</p>}
      {space !== undefined && <Tick name="Redact what leaves this space" hint="What looks like a credential in parameters is masked before anything is decided, shown or sent." checked={outbound_redaction} onChange={setRedaction} />}
    </FormDialog>
  );
}
