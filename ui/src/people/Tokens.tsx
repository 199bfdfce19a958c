// The tokens of the signed-in person, and for owners those of everyone.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay, useNames } from "../api/permissions";
import { Heading } from "../settings/Rows";
import { Button } from "../ui/Button";
import { CreateToken } from "./CreateToken";
import { allTokens, tokens } from "./queries";
import { TokenLists } from "./TokenLists";
import { findTokens } from "./tokens";

/** With more tokens than this there is a search. */
const FEW = 8;

export function Tokens() {
  const query = useQuery(tokens);
  const isOwner = useMay("owner") === true;
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Heading
        title="Your tokens"
        about={
          <>
            Programs use a token to act as you, for example the CLI (
            <code className="font-mono text-xs">countersign --token-file</code>). Use one token per program.
          </>
        }
      >
        <Button variant="primary" onClick={() => setCreating(true)}>
          {" "}
          Create a token{" "}
        </Button>
      </Heading>
      <TokenLists name="Your tokens" query={query} none="No tokens. Create one to use the CLI." />
      {isOwner && <AllTokens />}
      {isCreating && <CreateToken onClose={() => setCreating(false)} />}
    </>
  );
}

function AllTokens() {
  const query = useQuery(allTokens);
  const nameOf = useNames();
  const [text, setText] = useState("");
  const found = (
    query.data === undefined ? query : { ...query, data: findTokens(query.data, text, nameOf) }
  ) as typeof query;
  return (
    <>
      <Heading
        title="All tokens"
        about="Tokens and signed-in browsers of all members and service accounts. Owners can revoke any of them."
      />
      {(query.data?.length ?? 0) > FEW && (
        <input
          className="input"
          type="search"
          aria-label="Search all tokens"
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder="Search by token or member"
        />
      )}
      <TokenLists
        name="All tokens"
        query={found}
        none={text === "" ? "No tokens." : "No token or member has this name."}
        isNamed
      />
    </>
  );
}
