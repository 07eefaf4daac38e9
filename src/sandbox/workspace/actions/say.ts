import { deliver } from '../payloads/deliver.ts';
import { linkText } from '../payloads/escape.ts';
import { commandPayload } from '../payloads/payloads.ts';
import { addMessage } from '../payloads/post-message.ts';
import type { PageAnswer } from '../protocol/page-protocol.ts';
import type { World } from '../state/world.ts';
import type { Channel, User } from '../state/world-types.ts';
import { respondToAck } from '../web-api/response-url.ts';
import { appFailed, done, refuse, requireMember } from './refused.ts';

type Said = {
  readonly channel: string;
  readonly text: string;
  readonly threadTs?: string | undefined;
};

/** A message, or a slash command when the text begins with one. Facts: Payloads. */
export async function say(world: World, user: User, said: Said): Promise<PageAnswer> {
  const channel = requireMember(world, user, said.channel);
  if (channel.archived) return refuse('This channel is archived.');
  if (said.text.trim() === '') return refuse('There is nothing to send.');
  if (said.text.startsWith('/')) return await command(world, { user, channel }, said);
  const text = linkText(world, said.text, 'message');
  addMessage(world, { channel: channel.id, userId: user.id, text, threadTs: said.threadTs });
  return done;
}

async function command(
  world: World,
  by: { readonly user: User; readonly channel: Channel },
  said: Said,
): Promise<PageAnswer> {
  const [name = '', ...rest] = said.text.split(' ');
  const { user, channel } = by;
  const declared = world.manifest.commands.find((other) => other.command === name);
  if (declared === undefined) return refuse(`${name} is not a command of this workspace.`);
  if (said.threadTs !== undefined) return refuse(`${name} does not work in threads.`);
  if (user.kind === 'outsider' || user.kind === 'bot') {
    return refuse(`${name} is for people of this workspace only.`);
  }
  const payload = commandPayload(world, by, declared, rest.join(' ').trim());
  const ack = await deliver(world, 'slash_commands', payload);
  if (!ack.ok) return appFailed(name, ack.error);
  if (ack.body['response_type'] === 'in_channel') {
    addMessage(world, { channel: channel.id, userId: user.id, text: said.text });
  }
  if (!['text', 'blocks', 'attachments'].some((key) => ack.body[key] !== undefined)) return done;
  const problem = respondToAck(world, { channel: channel.id, userId: user.id }, ack.body);
  return problem === undefined ? done : refuse(`${name}: the answer was refused (${problem}).`);
}
