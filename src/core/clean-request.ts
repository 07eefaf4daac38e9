import type { PipelineDeps, Request } from './pipeline.ts';
import { withoutSecrets } from './redact.ts';

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
  return { ...request, raw, issues: [...told, ...issues] };
}
