import type { PipelineDeps, Request } from './pipeline.ts';
import { withoutSecrets } from './redact.ts';
import { cleanTyped } from './typed-text.ts';

/** From here on nobody knows a secret that was typed where a name belongs. */
export function cleaned(
  request: Request,
  { holdsSecret, redact }: Pick<PipelineDeps, 'holdsSecret' | 'redact'>,
): Request {
  const { raw, issues } = withoutSecrets(request.raw, holdsSecret);
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
