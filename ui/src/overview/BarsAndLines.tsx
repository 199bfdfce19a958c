// Bar and line charts. Selecting a bar opens the activity it counts; the table below does the same without a mouse.
import type { ReactNode } from "react";
import {
  Bar,
  BarChart,
  CartesianGrid,
  Line as Curve,
  Legend,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";

export interface Series {
  id: string;
  name: string;
  colour: string;
}
export type Point = { at: string; label: string } & Record<string, number | string | null>;

interface Props {
  points: Point[];
  series: readonly Series[];
  format: (value: number) => string;
  /** For the axis, where there is less room. */
  short?: (value: number) => string;
  /** Whether only whole numbers make sense. */
  isCount?: boolean;
  onPress: (index: number, series: string) => void;
}

const HEIGHT = 220;
const TICK = { fill: "var(--faint)", fontSize: 11 };

function around({ points, series, format, short = format, isCount = false }: Props): ReactNode[] {
  return [
    <CartesianGrid key="grid" vertical={false} stroke="var(--edge)" />,
    <XAxis
      key="x"
      dataKey="label"
      tick={TICK}
      tickLine={false}
      axisLine={{ stroke: "var(--edge)" }}
      minTickGap={28}
      interval="preserveStartEnd"
    />,
    <YAxis
      key="y"
      tick={TICK}
      tickLine={false}
      axisLine={false}
      width={46}
      allowDecimals={!isCount}
      tickFormatter={short}
      domain={[0, "auto"]}
    />,
    <Tooltip
      key="tip"
      isAnimationActive={false}
      formatter={(value) => (typeof value === "number" ? format(value) : "–")}
      cursor={{ fill: "var(--sunk)", stroke: "var(--edge)" }}
      contentStyle={{ background: "var(--card)", border: "1px solid var(--edge)", borderRadius: 8, fontSize: 12 }}
      labelStyle={{ color: "var(--ink)", fontWeight: 600 }}
      itemStyle={{ color: "var(--soft)", padding: 0 }}
    />,
    ...(series.length > 1 && points.length > 0
      ? [
          <Legend
            key="legend"
            itemSorter={null}
            iconType="circle"
            iconSize={8}
            formatter={(name: string) => <span className="text-xs text-soft">{name}</span>}
          />,
        ]
      : []),
  ];
}

export function Bars(props: Props) {
  return (
    <ResponsiveContainer width="100%" height={HEIGHT}>
      <BarChart data={props.points} accessibilityLayer={false} margin={{ left: 0, right: 24, top: 4, bottom: 0 }}>
        {around(props)}
        {props.series.map(({ id, name, colour }) => (
          <Bar
            key={id}
            dataKey={id}
            name={name}
            stackId="all"
            fill={colour}
            isAnimationActive={false}
            className="cursor-pointer"
            onClick={(_, index) => props.onPress(index, id)}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}

export function Lines(props: Props) {
  return (
    <ResponsiveContainer width="100%" height={HEIGHT}>
      <LineChart
        data={props.points}
        accessibilityLayer={false}
        margin={{ left: 0, right: 24, top: 4, bottom: 0 }}
        className="cursor-pointer"
        onClick={({ activeTooltipIndex }) =>
          activeTooltipIndex != null && props.onPress(Number(activeTooltipIndex), props.series[0]?.id ?? "")
        }
      >
        {around(props)}
        {props.series.map(({ id, name, colour }) => (
          <Curve
            key={id}
            dataKey={id}
            name={name}
            stroke={colour}
            strokeWidth={2}
            dot={props.points.length < 40 ? { r: 2.5, fill: colour } : false}
            connectNulls
            isAnimationActive={false}
            type="monotone"
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  );
}
