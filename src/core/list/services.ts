import type { CardAction, Row } from '../card/card.ts';
import type { Context } from '../operation/operation.ts';
import type { OperationInfo, ReadPorts } from '../operation/ports.ts';
import { agoText } from '../operation/repeats.ts';
import { serviceTarget } from '../operation/resolve.ts';
import type { DirectoryEntry } from '../ports/ports.ts';
import { bold, code, joinText, say, type Text } from '../text/text.ts';

type Offering = OperationInfo & { readonly beside: NonNullable<OperationInfo['beside']> };

type Ports = Pick<ReadPorts, 'catalogue' | 'policy' | 'clock' | 'settings'>;

/**
 * Services as rows: what is known of each, and what this person may do about it here. Only what the
 * policy allows is offered, and what the last known state lets make sense. Design: §3, §5.
 */
export async function serviceRows(
  entries: readonly DirectoryEntry[],
  ports: Ports,
  { actor, place }: Pick<Context, 'actor' | 'place'>,
): Promise<readonly Row[]> {
  const services = entries.map(serviceTarget);
  const offered = await Promise.all(
    ports.catalogue.filter(isOffering).map(async (operation) => ({
      operation,
      on: await ports.policy.seen(actor, place, { services, actions: [operation.id] }),
    })),
  );
  return entries.map((entry) => ({
    text: serviceText(entry, ports),
    actions: offered
      .filter(({ operation, on }) => on.has(entry.id) && operation.beside.fits(entry.state))
      .flatMap(({ operation }) => actionOn(entry, operation)),
  }));
}

function isOffering(operation: OperationInfo): operation is Offering {
  return operation.beside !== undefined;
}

function actionOn({ id, name }: DirectoryEntry, { id: operation, beside, fields }: Offering) {
  const field = fields.find(({ widget }) => widget === 'service');
  const action = (key: string): CardAction => ({
    label: beside.label,
    spoken: `${beside.label}: ${name}`,
    do: { kind: 'ask', operation, input: { [key]: id } },
  });
  return field === undefined ? [] : [action(field.key)];
}

/** `**analytics** · prod · `running`, reported 2 hours ago`. */
function serviceText(entry: DirectoryEntry, { clock, settings }: Ports): Text {
  const { name, tags, state, stateAt, source, organization } = entry;
  const ago = stateAt === undefined ? '' : `, reported ${agoText(stateAt, clock.now())}`;
  return joinText(
    [
      bold(name),
      ...(tags.length === 0 ? [] : [tags.join(', ')]),
      state === undefined ? 'no state reported yet' : say`${code(state)}${ago}`,
      ...(source === 'configuration' ? [] : [`known from ${WORDS[source]}`]),
      ...cloudWords(entry),
      ...(settings.get().organizations.length > 1 ? [organization] : []),
    ],
    ' · ',
  );
}

/** Where its cloud says something else than the file, or more. Design: §14. */
function cloudWords({ name, source, cloud }: DirectoryEntry): readonly (string | Text)[] {
  if (cloud === undefined) return [];
  if (!cloud.isListed) return ['not in the cloud'];
  const isRenamed = source === 'configuration' && cloud.name !== undefined && cloud.name !== name;
  return [
    ...(isRenamed ? [say`called ${bold(cloud.name ?? '')} in the cloud`] : []),
    ...(cloud.tags.length === 0 ? [] : [`tags in the cloud: ${cloud.tags.join(', ')}`]),
  ];
}

const WORDS = {
  'created here': 'its creation here',
  costs: 'cost reports',
  cloud: 'the cloud’s list',
} as const;

/** The forms in which one of many services is looked for, for what somebody may do on any of them. */
export function offersFor(
  rows: readonly Row[],
  { catalogue }: Pick<ReadPorts, 'catalogue'>,
): readonly CardAction[] {
  const asked = new Set(
    rows.flatMap(({ actions }) =>
      actions.flatMap((one) => ('operation' in one.do ? [one.do.operation] : [])),
    ),
  );
  return catalogue
    .filter(({ id }) => asked.has(id))
    .map(({ id: operation, title: label }) => ({
      label,
      do: { kind: 'open', operation, input: {} },
    }));
}
