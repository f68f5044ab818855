interface Props {
  /** What would end: each kind with its names. */
  groups: readonly (readonly [kind: string, names: readonly string[]])[];
}

/** Lists by kind what an action ends. */
export function EndingList({ groups }: Props) {
  return (
    <dl className="grid gap-2 text-sm">
      {groups
        .filter(([, names]) => names.length > 0)
        .map(([kind, names]) => (
          <div key={kind}>
            <dt className="text-soft">{kind}</dt>
            <dd className="[overflow-wrap:anywhere]">{names.join(", ")}</dd>
          </div>
        ))}
    </dl>
  );
}
