import type { AnyCreateServiceRequest } from '../../core/cloud/clickhouse-service.ts';
import type { CreateServiceRequest, ServiceRecord } from '../../core/cloud/service.ts';
import { fieldsOf } from '../../core/operation/fields.ts';
import type { Preview } from '../../core/operation/outcome.ts';
import { bold, code, joinText, type Piece, say, type Text } from '../../core/text/text.ts';
import { openingOf } from './access-list.ts';
import { anyServiceInput, writeTags } from './clickhouse-input.ts';
import type { Plan } from './plan.ts';

/** Told by its own line, or by the first one. */
const TOLD = [
  'name',
  'provider',
  'region',
  'numReplicas',
  'minReplicaMemoryGb',
  'maxReplicaMemoryGb',
  'ipAccessList',
];

/** All that was asked for: what an approver does not see here is not sent. Design: §6. */
export function previewOf(plan: Plan): Preview {
  const { name, request, organization } = plan;
  const size = [replicasOf(request), memoryOf(request)].filter((part) => part !== undefined);
  return {
    question: say`Create ${bold(name)}?`,
    ask: say`create ${bold(name)} (${[placeOf(request), organization.key].join(', ')})`,
    lines: [
      say`${size.length === 0 ? 'Size as the API chooses it' : size.join(', ')}. Billing starts when the service does.`,
      ...accessLines(request.ipAccessList),
      ...restOf(plan),
      ...warningsOf(request),
    ],
    button: `Create ${name}`.slice(0, 75),
    danger: false,
  };
}

function restOf({ request, secrets }: Plan): readonly Text[] {
  const { tags, ...rest } = request;
  const asked = Object.entries(rest).filter(([key]) => !TOLD.includes(key));
  const named = Object.entries(secrets);
  const parts = [
    ...asked.map(([key, value]) => say`${labelOf(key)} ${code(wordOf(value))}`),
    ...(tags ?? []).map((tag) => say`tag ${code(writeTags([tag]))}`),
    ...named.map(([key, value]) => say`${labelOf(key)} by the credential ${code(value)}`),
  ];
  return parts.length === 0 ? [] : [joinText(parts, ' · ')];
}

function wordOf(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (!Array.isArray(value)) return String(value);
  return value
    .map((item: unknown) =>
      typeof item === 'object' && item !== null && 'enabled' in item
        ? wordOf(item.enabled)
        : String(item),
    )
    .join(', ');
}

const LABELS = new Map(fieldsOf(anyServiceInput).map(({ key, label }) => [key, label]));

export function labelOf(key: string): string {
  return LABELS.get(key) ?? key;
}

type Described = Pick<
  ServiceRecord & CreateServiceRequest,
  'provider' | 'region' | 'numReplicas' | 'minReplicaMemoryGb' | 'maxReplicaMemoryGb'
>;

/** `aws, us-east-1` */
export function placeOf({ provider, region }: Described): string {
  return [provider, region].filter((part) => part !== undefined).join(', ');
}

/** `3 replicas`, `1 replica`; undefined where nobody said. */
export function replicasOf({ numReplicas }: Described): string | undefined {
  if (numReplicas === undefined) return undefined;
  return numReplicas === 1 ? '1 replica' : `${numReplicas} replicas`;
}

/** `8 to 16 GB for each replica`; undefined where nobody said. */
export function memoryOf({
  minReplicaMemoryGb,
  maxReplicaMemoryGb,
}: Described): string | undefined {
  const [least, most] = [minReplicaMemoryGb, maxReplicaMemoryGb];
  if (least === undefined && most === undefined) return undefined;
  if (least === undefined) return `up to ${most} GB for each replica`;
  if (most === undefined) return `from ${least} GB for each replica`;
  return least === most
    ? `${least} GB for each replica`
    : `${least} to ${most} GB for each replica`;
}

type Sources = ServiceRecord['ipAccessList'];

/** Every entry that is sent, whole: one beside the label, several on lines of their own. */
function accessLines(list: Sources = []): readonly Text[] {
  const label = labelOf('ipAccessList');
  const entries = list.map(entryText);
  if (list.length === 1) return [say`${label}: ${joinText(entries, '')}`];
  return [say`${label}: ${list.length} entries`, ...entries.map((entry) => say`• ${entry}`)];
}

/** The addresses that may connect, the first five of them: for cards after the fact. */
export function accessOf(list: Sources): Text {
  if (list === undefined || list.length === 0) return [];
  const shown: (Piece | Text)[] = list
    .slice(0, 5)
    .map(({ source, description }) => entryText({ source, description: shortened(description) }));
  const left = list.length - shown.length;
  return joinText(left === 0 ? shown : [...shown, `${left} more`], ', ');
}

/** Every address that may connect. */
export function accessEntries(list: NonNullable<Sources>): Text {
  return joinText(list.map(entryText), ', ');
}

function entryText({
  source,
  description,
}: {
  readonly source: string;
  readonly description?: string | undefined;
}): Text {
  return description === undefined ? [code(source)] : say`${code(source)} ${description}`;
}

function shortened(description: string | undefined): string | undefined {
  if (description === undefined || description.length <= 60) return description;
  return `${description.slice(0, 59)}…`;
}

/** What an approver and the channel have to notice. */
export function warningsOf(request: AnyCreateServiceRequest): readonly Text[] {
  const warnings: Text[] = [];
  const open = openingOf(request.ipAccessList ?? []);
  if (open !== undefined) {
    const who = open.who === 'everybody' && open.by !== undefined ? code(open.by) : open.who;
    warnings.push(say`${bold('Open to the whole internet')}: ${who} may connect.`);
  }
  if (request.numReplicas === 1 && request.dataWarehouseId === undefined) {
    warnings.push(
      say`One replica in a new warehouse: none takes over when it fails, and the API may ask for two.`,
    );
  }
  return warnings;
}
