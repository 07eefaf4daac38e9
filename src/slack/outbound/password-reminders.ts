import type { RequesterCard } from '../../core/card/card.ts';
import type { Notification } from '../../core/ports/outbox.ts';
import type { Actor, WaitingSecret } from '../../core/ports/ports.ts';
import { bold, code, say, time } from '../../core/text/text.ts';
import type { SlackDeps } from './deps.ts';

type Ending = WaitingSecret & { readonly owner: Actor };

type ReminderOptions = {
  readonly stores: {
    readonly secrets: { ending(withinMs: number): Promise<readonly Ending[]> };
  };
  readonly deps: Pick<SlackDeps, 'outbox' | 'ports'>;
};

/** So long before a password goes its owner hears of it; of a short life a quarter. */
const BEFORE_MS = 30 * 60_000;

/**
 * Once for each password that nobody has seen: a direct message to who asked, with the button and
 * never with the password. Its id follows from the password's, so that neither another round, a
 * restart nor another replica writes it again. Design: §7.
 */
export async function remindOfPasswords({ stores, deps }: ReminderOptions): Promise<void> {
  const { settings, clock } = deps.ports;
  const before = Math.min(BEFORE_MS, settings.get().passwordForMs / 4);
  const at = clock.now().toISO();
  for (const secret of await stores.secrets.ending(before)) {
    const reminder: Notification = {
      id: `password-reminder:${secret.id}`,
      kind: 'password',
      at,
      card: reminderOf(secret, settings.get().command),
      actor: secret.owner,
      place: 'home',
      journal: 0,
    };
    await deps.outbox.add([reminder], 'waiting');
  }
}

function reminderOf({ id, about, expiresAt }: Ending, command: string): RequesterCard {
  return {
    audience: 'requester',
    tone: 'warning',
    headline: say`Nobody has seen the password of ${bold(about)} yet: it is erased at ${time(expiresAt, 'time')}.`,
    lines: [
      say`After that, or once it was shown, a new one can be set in the cloud console. Until then ${code(`${command} approvals`)} has this button too.`,
    ],
    actions: [
      { label: 'Show password once', style: 'primary', do: { kind: 'reveal', secret: id } },
    ],
  };
}
