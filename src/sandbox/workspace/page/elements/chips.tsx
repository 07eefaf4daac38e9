type Props = {
  readonly items: readonly { readonly key: string; readonly label: string }[];
  remove(key: string): void;
};

/** What is chosen, each with a button that takes it away. */
export function Chips({ items, remove }: Props) {
  if (items.length === 0) return null;
  return (
    <ul class="chips" aria-label="Chosen">
      {items.map((item) => (
        <li key={item.key}>
          {item.label}
          <button
            type="button"
            aria-label={`Remove ${item.label}`}
            onClick={() => remove(item.key)}
          >
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
