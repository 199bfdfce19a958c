// Who answered how many questions, and how fast. Left out while nobody has answered.
import type { Schemas } from "../api/client";
import { number } from "../text/number";
import { took } from "../text/time";
import { Line } from "../text/Visible";
import { Ranking } from "./Ranking";

export function People({ people }: { people: readonly Schemas["PersonAnswers"][] }) {
  if (people.length === 0) return null;
  return (
    <Ranking
      title="Questions by person"
      about="In the whole organization."
      columns={["answers", "per day", "median time"]}
    >
      {people.map((each, index) => (
        <tr key={index} className="border-t border-edge">
          <th scope="row" className="max-w-0 truncate px-4 py-2 text-left font-medium">
            <Line text={each.name} />
          </th>
          <td className="px-2 text-right">{number(each.answers)}</td>
          <td className="px-2 text-right">{number(each.per_day)}</td>
          <td className="px-4 text-right text-soft">{each.median_s == null ? "–" : took(each.median_s * 1_000)}</td>
        </tr>
      ))}
    </Ranking>
  );
}
