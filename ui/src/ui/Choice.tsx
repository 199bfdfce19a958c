// A choice of a few options, each with a short description.

export function Choice<T extends string>({
  name,
  value,
  choices,
  disabled = false,
  onChange,
}: {
  name: string;
  value: T;
  choices: readonly (readonly [T, string, string])[];
  disabled?: boolean;
  onChange: (next: T) => void;
}) {
  return (
    <div
      role="radiogroup"
      aria-label={name}
      className={`grid gap-2 ${choices.length === 3 ? "sm:grid-cols-3" : "sm:grid-cols-2"}`}
    >
      {choices.map(([each, title, about]) => (
        <label
          key={each}
          className={`flex cursor-pointer items-start gap-2.5 rounded-lg border border-strong px-3 py-2.5
            has-checked:border-accent has-checked:bg-accent-wash`}
        >
          <input
            type="radio"
            name={name}
            checked={value === each}
            disabled={disabled}
            onChange={() => onChange(each)}
            className="mt-0.5 accent-accent"
          />
          <span className="min-w-0 wrap-anywhere">
            <span className="block font-medium">{title}</span>
            <span className="block text-xs text-soft">{about}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
