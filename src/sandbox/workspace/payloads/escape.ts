import type { World } from '../state/world.ts';

/** The three characters that the real service never passes on as typed. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const linkable = new RegExp(
  [
    String.raw`(?<url>https?://[^\s<>|]+)`,
    String.raw`(?<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)`,
    String.raw`(?<![\w])@(?<name>[\w-]+(?:\.[\w-]+)*)`,
    String.raw`(?<![\w&])#(?<channel>[\w-]+)`,
    String.raw`(?<![\w@./-])(?<domain>[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev))(?![\w-])`,
  ].join('|'),
  'g',
);

/** The composer makes no names and links of what stands in code. */
const linkableOrCode = new RegExp(`\`\`\`[\\s\\S]*?\`\`\`|\`[^\`\\n]*\`|${linkable.source}`, 'g');

/**
 * What a person typed, as the bot receives it: `& < >` escaped, and mentions, channels, addresses
 * and links in the angle-bracket form. Mentions carry the name in commands only.
 */
export function linkText(world: World, text: string, form: 'command' | 'message'): string {
  const pattern = form === 'message' ? linkableOrCode : linkable;
  return escapeText(text).replace(pattern, (whole: string, ...rest: unknown[]) => {
    const groups = readGroups(rest.at(-1));
    if (groups['url'] !== undefined) return `<${groups['url']}>`;
    if (groups['mail'] !== undefined) return `<mailto:${groups['mail']}|${groups['mail']}>`;
    if (groups['domain'] !== undefined) return `<http://${groups['domain']}|${groups['domain']}>`;
    if (groups['channel'] !== undefined) return channelLink(world, groups['channel']) ?? whole;
    if (groups['name'] !== undefined) return mention(world, groups['name'], form) ?? whole;
    return whole;
  });
}

function readGroups(value: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value));
}

function channelLink(world: World, name: string): string | undefined {
  for (const channel of world.channels.values()) {
    if (channel.kind !== 'dm' && channel.name === name) return `<#${channel.id}|${name}>`;
  }
  return undefined;
}

function mention(world: World, name: string, form: 'command' | 'message'): string | undefined {
  if (name === 'here' || name === 'channel' || name === 'everyone') return `<!${name}>`;
  if (name === world.manifest.botName) {
    return mentionOf(world.settings.botUserId, name, form);
  }
  for (const user of world.users.values()) {
    if (user.name === name) return mentionOf(user.id, name, form);
  }
  for (const group of world.userGroups.values()) {
    if (group.handle === name) return `<!subteam^${group.id}|@${name}>`;
  }
  return undefined;
}

function mentionOf(id: string, name: string, form: 'command' | 'message'): string {
  return form === 'command' ? `<@${id}|${name}>` : `<@${id}>`;
}
