/** Everything is allowed in #ops and nothing anywhere else; nobody is ever too fast. */
export function allowEverything(yaml: string): string {
  const head = yaml.slice(0, yaml.indexOf('channels:'));
  const audit = yaml.slice(yaml.indexOf('audit:'));
  return `${head}channels:
  ops:
    id: C0OPS
    allow:
      - { actions: ['*'], who: [anyone] }
defaults: { directMessages: deny, externalPeople: deny, guests: deny }
limits: { perPersonPerMinute: 10000, perChannelPerMinute: 10000 }
${audit}`;
}
