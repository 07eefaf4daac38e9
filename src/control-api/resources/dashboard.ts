import type { Fields } from '../lenient.ts';

export type DeletedDashboard = Readonly<Record<string, never>>;

/** Any object, or no body at all, says no more than that there was no error. Spec: Endpoints 9. */
export function readDeletedDashboard(_reply: Fields): DeletedDashboard {
  return {};
}
