import type { Preview } from '../../core/operation/outcome.ts';
import { bold, code, joinText, say, type Text } from '../../core/text/text.ts';
import type { Plan } from './plan.ts';
import { accessLines, labelOf, memoryOf, placeOf, replicasOf, warningsOf } from './words.ts';

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
  const asked = Object.entries(request).filter(([key]) => !TOLD.includes(key));
  const named = Object.entries(secrets);
  const parts = [
    ...asked.map(([key, value]) => say`${labelOf(key)} ${code(wordOf(value))}`),
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
