// The providers of language models, for admins.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMay } from "../api/permissions";
import { Empty, Loading, PageHead, ProblemCard } from "../ui/Bits";
import { buttonClass } from "../ui/Button";
import { ProviderCard } from "./ProviderCard";
import { providers } from "./queries";
import { SpendingToday } from "./SpendingToday";

export function ModelsPage() {
  const isAdmin = useMay("admin");
  return isAdmin === true ? (
    <Providers />
  ) : (
    <>
      <PageHead title="Models" about="Providers of language models" />
      {isAdmin === undefined ? <Loading what="your account" /> : <OnlyAdmins />}
    </>
  );
}

export function OnlyAdmins() {
  return (
    <Empty icon="models" title="Only admins can see and change model providers">
      <p>A provider is used by automations of the whole organization, so an admin or owner adds it.</p>
    </Empty>
  );
}

function Providers() {
  const { data, error } = useQuery(providers);
  return (
    <>
      <PageHead title="Models" about="Providers of language models for automations">
        {data !== undefined && data.length > 0 && <AddLink />}
      </PageHead>
      <div className="mx-auto w-full max-w-5xl space-y-4 p-4 md:p-6">
        {error !== null && <ProblemCard error={error} />}
        {data === undefined && error === null && <Loading what="model providers" />}
        {data !== undefined && <SpendingToday isUsed={data.length > 0} />}
        {data?.length === 0 && (
          <Empty icon="models" title="No model providers">
            <p>
              A provider is a server with language models, such as Anthropic, OpenAI or Ollama. Steps of automations ask
              its models. Each call is decided and recorded like any other action.
            </p>
            <p className="pt-2">
              <AddLink />
            </p>
          </Empty>
        )}
        {data !== undefined && data.length > 0 && (
          <ul aria-label="Model providers" className="space-y-4">
            {data.map((provider) => (
              <ProviderCard key={provider.id} provider={provider} />
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

function AddLink() {
  return (
    <Link to="/models/add" className={buttonClass("primary")}>
      Add a provider
    </Link>
  );
}
