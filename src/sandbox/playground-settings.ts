import { ACME, KEYS, SERVICES } from './control-plane/seed.ts';

/** The playground's rules: the stories of the README work in it, and so do the refusals. */
export function playgroundSettings(names: 'neutral' | 'clickhouse' = 'neutral'): string {
  const spoken = names === 'neutral' ? '' : `, names: ${names}`;
  const watch = names === 'neutral' ? '' : ', watch: true';
  const wake =
    names === 'neutral' ? '' : '\n      - { actions: [service.wake], who: [operators, leads] }';
  const services = Object.values(SERVICES)
    .filter(({ name }) => name !== 'legacy')
    .map(({ id, name, tag }) => `  ${name}: { id: ${id}, organization: acme, tags: [${tag}] }`);
  return `# The rules of the playground, written anew at each start.
command: /db
slack: { workspaces: [T0ACME] }
organizations:
  acme: { id: ${ACME.id}, keyId: ${KEYS.admin.id}, keySecret: \${ACME_KEY_SECRET}${spoken} }
services:
${services.join('\n')}
groups:
  operators: { users: [], usergroups: [S0OPS] }
  leads: { users: [U02BEN] }
  finance: { users: [U03FAY] }
credentials:
  kafka-prod: { username: steward, password: \${KAFKA_PASSWORD} }
  lake-key: { accessKeyId: FAKEACCESSKEYID, secretKey: \${LAKE_SECRET_KEY} }
  disk-key: { value: \${DISK_KEY} }
presets:
  small: { provider: aws, region: us-east-1, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 2 }
channels:
  ops:
    id: C0OPS
    allow:
      - { actions: [service.start, service.stop], services: [tag:dev], who: [operators, leads] }
      - { actions: [service.start], services: [tag:prod], who: [operators, leads] }${wake}
      - { actions: [service.stop], services: [tag:prod], who: [operators, leads], approval: { by: [leads], within: 30m } }
      - { actions: [service.create], who: [operators, leads], limits: { maxReplicas: 5, maxMemoryGb: 128 } }
      - { actions: [pipe.create], who: [operators, leads] }
      - { actions: [invitation.create], who: [operators, leads], emailDomains: [example.com, acme.example] }
      - { actions: [dashboard.delete], who: [leads] }
      - { actions: ['digest.*'], who: [operators, leads] }
      - { actions: [approval.break-glass], who: [leads] }
      - { actions: ['*.read'], who: [anyone] }
      - { actions: [service.sleep, 'schedule.*'], services: [tag:dev], who: [operators, leads] }
      - { actions: [service.stop, service.start], services: [tag:dev], who: [schedule:dev-nights] }
  finance:
    id: C0FINANCE
    allow:
      - { actions: ['*.read', 'digest.*'], who: [anyone] }
    digest: { at: '09:00', zone: Europe/Berlin, budgetPerDay: 400 }
defaults: { directMessages: deny, externalPeople: deny, guests: deny }
audit: { channel: C0AUDIT${watch} }
schedules:
  dev-nights: { services: [tag:dev], stop: { at: '20:00', days: [mon, tue, wed, thu, fri] }, start: { at: '07:30', days: [mon, tue, wed, thu, fri] }, zone: Europe/Berlin, channel: ops, notice: 30m, snooze: { by: [operators, leads], most: 3h, times: 2 } }
`;
}
