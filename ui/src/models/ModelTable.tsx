// The models of a provider: how much they read and write, and what their tokens cost. On a phone each row is a list.
import type { ReactNode } from "react";
import { number } from "../text/number";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { priceText } from "./price";
import type { Model, Price, Provider } from "./queries";
import { priceFromText } from "./words";

const HEADS = ["Context", "Max output", "Input price", "Output price"] as const;

export function ModelTable({ provider }: { provider: Provider }) {
  return (
    <div className="border-t border-edge">
      <table className="w-full tabular-nums max-md:block" aria-label={`Models of ${plain(provider.provider)}`}>
        <thead className="text-xs text-faint max-md:sr-only">
          <tr>
            <th scope="col" className="px-4 py-2 text-left font-medium">
              Model
            </th>
            {HEADS.map((head) => (
              <th key={head} scope="col" className="px-2 py-2 text-right font-medium whitespace-nowrap">
                {head}
              </th>
            ))}
            <th scope="col" className="px-4 py-2 text-left font-medium whitespace-nowrap">
              Price from
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {provider.models.map((model) => (
            <ModelRow key={model.name} model={model} />
          ))}
        </tbody>
      </table>
      <p className="px-4 py-2 text-xs text-faint">Context and output in tokens, prices in USD per million tokens.</p>
    </div>
  );
}

function ModelRow({ model }: { model: Model }) {
  const { name, context, max_output, price } = model;
  return (
    <tr className="border-edge align-top not-first:border-t max-md:block max-md:px-4 max-md:py-2 md:border-t">
      <th
        scope="row"
        className={`py-2 text-left font-mono text-[0.8125rem] font-normal wrap-anywhere max-md:block max-md:py-0.5
          md:px-4`}
      >
        <Line text={name} />
      </th>
      <Cell head="Context">{number(context)}</Cell>
      <Cell head="Max output">{number(max_output)}</Cell>
      {price == null ? (
        <td colSpan={3} className="text-warn max-md:block max-md:py-0.5 md:px-4 md:py-2">
          <span className="md:hidden">Price </span>unknown: budgets in USD are refused
        </td>
      ) : (
        <>
          <PriceCell head="Input price" price={price} part="input" />
          <PriceCell head="Output price" price={price} part="output" />
          <Cell head="Price from" isText>
            {priceFromText(model)}
          </Cell>
        </>
      )}
    </tr>
  );
}

function Cell({ head, isText = false, children }: { head: string; isText?: boolean; children: ReactNode }) {
  return (
    <td
      className={`max-md:flex max-md:justify-between max-md:gap-4 max-md:py-0.5 md:py-2 md:whitespace-nowrap
        ${isText ? "text-soft md:px-4" : "text-right md:px-2"}`}
    >
      <span className="text-faint md:hidden" aria-hidden="true">
        {head}
      </span>
      <span>{children}</span>
    </td>
  );
}

/** Large requests can have other prices. */
function PriceCell({ head, price, part }: { head: string; price: Price; part: "input" | "output" }) {
  return (
    <Cell head={head}>
      {priceText(price[part])}
      {(price.tiers ?? []).map((tier) => (
        <span key={tier.above} className="block text-xs text-faint">
          {priceText(tier[part])} above {number(tier.above)}
        </span>
      ))}
    </Cell>
  );
}
