/** The short names this page draws; any other stays as typed, in colons. */
const EMOJI: Readonly<Record<string, string>> = {
  '+1': '👍',
  '-1': '👎',
  alarm_clock: '⏰',
  arrow_down: '⬇️',
  arrow_right: '➡️',
  arrow_up: '⬆️',
  bar_chart: '📊',
  bell: '🔔',
  blue_circle: '🔵',
  bulb: '💡',
  calendar: '📅',
  chart_with_downwards_trend: '📉',
  chart_with_upwards_trend: '📈',
  closed_lock_with_key: '🔐',
  construction: '🚧',
  eyes: '👀',
  fire: '🔥',
  gear: '⚙️',
  heavy_check_mark: '✔️',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  information_source: 'ℹ️',
  key: '🔑',
  large_blue_circle: '🔵',
  large_green_circle: '🟢',
  large_orange_circle: '🟠',
  large_red_circle: '🔴',
  large_yellow_circle: '🟡',
  lock: '🔒',
  mag: '🔍',
  memo: '📝',
  moneybag: '💰',
  no_entry: '⛔',
  no_entry_sign: '🚫',
  package: '📦',
  pushpin: '📌',
  question: '❓',
  red_circle: '🔴',
  robot_face: '🤖',
  rocket: '🚀',
  rotating_light: '🚨',
  smile: '😄',
  sparkles: '✨',
  tada: '🎉',
  thumbsdown: '👎',
  thumbsup: '👍',
  unlock: '🔓',
  warning: '⚠️',
  wastebasket: '🗑️',
  wave: '👋',
  white_check_mark: '✅',
  white_circle: '⚪',
  wrench: '🔧',
  x: '❌',
  zap: '⚡',
};

/** The character of a short name, or the name in colons when the page does not know it. */
export function emojiCharacter(name: string): string {
  return EMOJI[name] ?? `:${name}:`;
}

/** plain_text knows no markup but `:name:`; all else is taken literally. */
export function withEmoji(text: string): string {
  return text.replace(/:([a-z0-9_+-]+):/g, (found, name: string) => EMOJI[name] ?? found);
}
