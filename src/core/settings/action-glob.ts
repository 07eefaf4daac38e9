/**
 * Whether a rule's action covers an operation id. `*` alone is everything; elsewhere it stands for
 * one part between the dots: `service.*`, `*.read`. Design: §5.
 */
export function coversAction(pattern: string, action: string): boolean {
  if (pattern === '*' || pattern === action) return true;
  if (!pattern.includes('*')) return false;
  const parts = pattern.split('.');
  const words = action.split('.');
  return (
    parts.length === words.length &&
    parts.every((part, index) => part === '*' || part === words[index])
  );
}
