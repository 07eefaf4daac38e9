const ALLOWED = new Set(['http:', 'https:', 'mailto:']);

/** The address when its scheme is http, https or mailto; else null, and no link is drawn. */
export function safeHref(address: string): string | null {
  const scheme = /^([a-z][a-z0-9+.-]*:)/i.exec(address.trim());
  const name = scheme?.[1]?.toLowerCase();
  return name !== undefined && ALLOWED.has(name) ? address.trim() : null;
}

/** An image address: http(s), or a path of this server. */
export function safeImage(address: string): string | null {
  if (/^\/(?!\/)/.test(address)) return address;
  return /^https?:\/\//i.test(address) ? address : null;
}
