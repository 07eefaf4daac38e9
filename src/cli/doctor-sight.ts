import type { Clock } from '../core/ports/ports.ts';
import type { Look, Sights } from '../core/ports/sight.ts';
import type { OrganizationSettings } from '../core/settings/settings.ts';
import { plain } from '../core/text/text.ts';
import { keySeesText, seesItsOwn } from '../operations/status-read/key-sees.ts';
import { type Finding, fine, problem } from './output.ts';

/** Which organizations a key sees, where its cloud lists them. Design: §14. */
export async function keyFindings(
  organization: OrganizationSettings,
  sights: Sights,
): Promise<readonly Finding[]> {
  const { key } = organization;
  const look = await sights.of(key)?.organizations();
  if (look === undefined) return [];
  if (look.kind !== 'seen') return [unseen(`organization ${key}, organizations`, look)];
  const keySees = { organization, seen: look.value };
  const words = plain(keySeesText(keySees));
  return seesItsOwn(keySees)
    ? [fine(words)]
    : [problem(words, 'set ORGANIZATION_ID, or the id in steward.yaml, to one that it sees')];
}

/**
 * What a cloud shows beside the specification. The directory and `/db activity` live by the lists of
 * services and activities; the others only add to questions, so that a key may do without. Design: §14.
 */
export async function sightFindings(
  key: string,
  sights: Sights,
  clock: Clock,
): Promise<readonly Finding[]> {
  const sight = sights.of(key);
  if (sight === undefined) return [];
  const to = clock.now();
  const of = (what: string): string => `organization ${key}, ${what}`;
  const services = await sight.services();
  const span = { from: to.minus({ hours: 1 }).toISO(), to: to.toISO() };
  const findings = [
    needed(of('services'), services),
    needed(of('activities'), await sight.activities(span)),
    helpful(of('invitations'), await sight.invitations()),
  ];
  const [first] = services.kind === 'seen' ? services.value : [];
  if (first?.id === undefined) return findings;
  const { id, name = id } = first;
  return [
    ...findings,
    helpful(of(`pipes of ${name}`), await sight.pipes(id)),
    helpful(of(`backups of ${name}`), await sight.backups(id)),
    helpful(of(`dashboards of ${name}`), await sight.dashboards(id)),
  ];
}

type ListLook = Look<readonly unknown[]>;

function needed(what: string, look: ListLook): Finding {
  if (look.kind === 'seen') return fine(`sight, ${what}: ${look.value.length} seen`);
  return problem(
    `sight, ${what}: ${becauseOf(look)}`,
    'give the key the right to read it, or live without',
  );
}

function helpful(what: string, look: ListLook): Finding {
  return look.kind === 'seen' ? needed(what, look) : unseen(what, look);
}

function unseen(what: string, look: ListLook): Finding {
  return fine(`sight, ${what}: not seen, ${becauseOf(look)}; no command needs it`);
}

function becauseOf(look: ListLook): string {
  return look.kind === 'unseen' ? look.because : 'there is no such list';
}
