import type { RawInput } from '../card/card.ts';
import { cleanTyped } from '../text/typed-text.ts';
import { withoutSecrets } from './redact.ts';
import type { PipelineDeps, Request } from './request.ts';

/**
 * From here on what was typed is as everybody reads it, and nobody knows a secret that was typed
 * where a name belongs.
 */
export function cleaned(
  request: Request,
  { holdsSecret, redact }: Pick<PipelineDeps, 'holdsSecret' | 'redact'>,
): Request {
  const { raw, issues } = withoutSecrets(cleanRaw(request.raw), holdsSecret);
  const told = (request.issues ?? []).map((issue) => ({
    ...issue,
    message: redact(issue.message),
  }));
  return {
    ...request,
    raw,
    issues: [...told, ...issues],
    options: cleanedOptions(request, redact),
  };
}

/** A reason is shown, journaled and kept while the request waits. */
function cleanedOptions({ options }: Request, redact: PipelineDeps['redact']): Request['options'] {
  if (options?.breakGlass === undefined) return options;
  const reason = redact(cleanTyped(options.breakGlass).trim()).slice(0, 500);
  return { ...options, breakGlass: reason };
}

/** Every text in raw input, however deep, as `cleanTyped` has it. */
function cleanRaw(raw: RawInput): RawInput {
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, cleanValue(value)]));
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanTyped(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== 'object' || value === null) return value;
  return cleanRaw(Object.fromEntries(Object.entries(value)));
}
