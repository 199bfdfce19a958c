// The spaces: their risk bands, redaction, who they are open to, and their members.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { useMay } from "../api/permissions";
import { spaceTarget } from "../conduct/conduct";
import { StopButtons } from "../conduct/StopButtons";
import { TargetBadge } from "../conduct/Words";
import { notify } from "../frame/toasts";
import { BAND_NAMES, BANDS } from "../policy/bands";
import type { Band } from "../policy/queries";
import { changeText, OPENNESS, type Openness, opennessText } from "../spaces/openness";
import { SpaceMembers } from "../spaces/SpaceMembers";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Choice } from "../ui/Choice";
import { Checkbox, Field, FormDialog } from "../ui/Form";
import { changed, type Space, spaces } from "./queries";
import { Heading, Row, Rows } from "./Rows";
import { slug } from "./slug";

export function Spaces() {
  const query = useQuery(spaces);
  const may = useMay("admin") === true;
  const [open, setOpen] = useState<Space | "new" | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  return (
    <>
      <Heading
        title="Spaces"
        about="Sessions, automations and events belong to a space. Its band can only make decisions stricter."
      >
        {may && (
          <Button variant="primary" onClick={() => setOpen("new")}>
            Add a space
          </Button>
        )}
      </Heading>
      <Rows name="Spaces" query={query} none="No spaces.">
        {(space) => (
          <SpaceRow
            key={space.id}
            space={space}
            isOpen={shown === space.id}
            onToggle={() => setShown(shown === space.id ? null : space.id)}
            {...(may && { onEdit: () => setOpen(space) })}
          />
        )}
      </Rows>
      <dl className="space-y-1 text-xs text-faint">
        {BAND_NAMES.map((band) => (
          <div key={band} className="flex gap-2">
            <dt className="w-16 shrink-0 font-medium">{band}</dt>
            <dd>{BANDS[band].summary}</dd>
          </div>
        ))}
      </dl>
      {open !== null && <EditSpace {...(open === "new" ? {} : { space: open })} onClose={() => setOpen(null)} />}
    </>
  );
}

interface RowProps {
  space: Space;
  isOpen: boolean;
  onToggle: () => void;
  /** Absent for those who may not. */
  onEdit?: () => void;
}

function SpaceRow({ space, isOpen, onToggle, onEdit }: RowProps) {
  const name = plain(space.name);
  return (
    <>
      <Row
        about={
          <>
            <code className="font-mono">
              <Line text={space.slug} />
            </code>{" "}
            · {BANDS[space.risk_band as Band]?.summary}
            {!space.may_open && " · You cannot open sessions here. An admin can add you."}
          </>
        }
        title={
          <>
            <Line text={space.name} />
            <Badge tone={BANDS[space.risk_band as Band]?.tone ?? "plain"}>{space.risk_band}</Badge>
            <Badge>
              <Line text={opennessText(space.open_to)} />
            </Badge>
            {space.outbound_redaction && <Badge>redaction on</Badge>}
            <TargetBadge target={spaceTarget(space)} />
          </>
        }
      >
        <StopButtons target={spaceTarget(space)} />
        <Button onClick={onToggle} aria-expanded={isOpen} aria-label={`Members of ${name}`}>
          Members
        </Button>
        {onEdit !== undefined && (
          <Button onClick={onEdit} aria-label={`Edit ${name}`}>
            {" "}
            Edit{" "}
          </Button>
        )}
      </Row>
      {isOpen && (
        <li className="space-y-3 bg-page px-4 py-3">
          <SpaceMembers space={space} />
        </li>
      )}
    </>
  );
}

function EditSpace({ space, onClose }: { space?: Space; onClose: () => void }) {
  const [name, setName] = useState(space?.name ?? "");
  const [address, setAddress] = useState<string | null>(null);
  const [risk_band, setBand] = useState(space?.risk_band ?? "green");
  const [outbound_redaction, setRedaction] = useState(space?.outbound_redaction ?? false);
  const [open_to, setOpenness] = useState<string>(space?.open_to ?? OPENNESS[0][0]);
  const send = useMutation({
    mutationFn: () =>
      space === undefined
        ? take(api.POST("/v1/spaces", { body: { name: name.trim(), slug: address ?? slug(name), risk_band, open_to } }))
        : take(
            api.PATCH("/v1/spaces/{space}", {
              params: { path: { space: space.id } },
              body: { name: name.trim(), risk_band, outbound_redaction, open_to },
            }),
          ),
    onSuccess: async (saved) => {
      await changed("spaces");
      notify(
        "good",
        space === undefined ? "Added" : "Saved",
        <>
          <Line text={saved.name} /> is {saved.risk_band}: {BANDS[saved.risk_band as Band]?.summary}.
        </>,
      );
      onClose();
    },
  });
  const isLooser =
    space !== undefined && BAND_NAMES.indexOf(risk_band as Band) < BAND_NAMES.indexOf(space.risk_band as Band);
  const consequence = space === undefined ? null : changeText(space.open_to, open_to);
  return (
    <FormDialog
      title={space === undefined ? "Add a space" : `Edit ${plain(space.name)}`}
      submitLabel={space === undefined ? "Add" : "Save"}
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <Field name="Name">
        <input
          className="input"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={200}
          autoFocus
        />
      </Field>
      {space === undefined && (
        <Field name="Slug" hint="Used in URLs and commands. Cannot be changed later.">
          <input
            className="input font-mono"
            value={address ?? slug(name)}
            onChange={(event) => setAddress(event.target.value)}
            required
            spellCheck={false}
          />
        </Field>
      )}
      <fieldset className="space-y-2">
        <legend className="mb-1 font-medium">Risk band</legend>
        {BAND_NAMES.map((band) => (
          <label
            key={band}
            className={`flex cursor-pointer items-baseline gap-2.5 rounded-lg border border-strong px-3 py-2
              has-checked:border-accent has-checked:bg-accent-wash`}
          >
            <input
              type="radio"
              name="band"
              className="accent-accent"
              checked={risk_band === band}
              onChange={() => setBand(band)}
            />
            <span className="w-14 shrink-0 font-medium">{band}</span>
            <span className="text-xs text-soft">{BANDS[band].summary}</span>
          </label>
        ))}
      </fieldset>
      {isLooser && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          This band is less strict. Rules and risk now decide about actions that the band blocked before.
        </p>
      )}
      <fieldset>
        <legend className="mb-1 font-medium">Open to</legend>
        <Choice name="Open to" value={open_to as Openness} choices={OPENNESS} onChange={setOpenness} />
        <p className="mt-1 text-xs text-faint">Who can open sessions here. Admins and owners always can.</p>
      </fieldset>
      {consequence !== null && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          {consequence}
        </p>
      )}
      {space !== undefined && (
        <Checkbox
          name="Redact outgoing data"
          hint="Credentials found in parameters are masked before anything is decided, shown or sent."
          checked={outbound_redaction}
          onChange={setRedaction}
        />
      )}
    </FormDialog>
  );
}
