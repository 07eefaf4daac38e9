import { AppError } from '../core/cloud/errors.ts';
import type { ClientRoute } from './routes.ts';
import { notDone } from './words.ts';

export type PathParameters = Readonly<Record<string, string>>;

const LONGEST_ID = 200;
const UNSAFE = /[/\\\p{Cc}\p{Cs}]|\.\./u;

/**
 * The address of a call: base, path with its parameters filled in, query.
 * Throws AppError `invalid` for a parameter that could leave its segment of the path.
 * Spec: Endpoints.
 */
export function buildUrl(
  base: string,
  route: ClientRoute,
  parameters: PathParameters,
  query: PathParameters = {},
): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(checked(route, name, parameters[name])),
  );
  const search = new URLSearchParams(query).toString();
  return `${base.replace(/\/+$/, '')}${path}${search === '' ? '' : `?${search}`}`;
}

function checked(route: ClientRoute, name: string, value: string | undefined): string {
  const fits =
    value !== undefined &&
    value.trim() !== '' &&
    value !== '.' &&
    value.length <= LONGEST_ID &&
    !UNSAFE.test(value);
  if (fits) return value;
  const cause = `${name} has to be an id of at most ${LONGEST_ID} characters without slashes`;
  throw new AppError('invalid', {
    userMessage: `${notDone(route.operation)}: ${cause}.`,
    because: { cause, way: 'Nothing was sent.' },
  });
}
