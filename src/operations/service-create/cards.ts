import { type Card, type Fact, fact, type RequesterCard } from '../../core/card/card.ts';
import {
  type CreateServiceRequest,
  endpointLines,
  type ServiceRecord,
} from '../../core/cloud/service.ts';
import type { Context } from '../../core/operation/operation.ts';
import { approvedText, bold, code, say, type Text, time, user } from '../../core/text/text.ts';
import type { Plan } from './plan.ts';
import { detailsOf } from './record-facts.ts';
import { accessOf, labelOf, memoryOf, placeOf, replicasOf, warningsOf } from './words.ts';

/** What became of the generated password; the password itself is not among the results. */
export type PasswordFate =
  | { readonly kind: 'kept'; readonly id: string; readonly expiresAt: string }
  | { readonly kind: 'discarded' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'lost' };

export type Created = {
  readonly service: ServiceRecord;
  readonly password: PasswordFate;
  /** False where the directory did not take it in: the service exists all the same. */
  readonly noted: boolean;
};

export function createdCard({ service, noted }: Created, plan: Plan, context: Context): Card {
  const changed = differences(plan.request, service);
  const place = placeOf({ ...plan.request, ...service });
  const unnoted = say`Steward could not save it: use its id until it appears in the costs.`;
  return {
    audience: 'channel',
    tone: changed.length > 0 || service.state === 'failed' ? 'warning' : 'good',
    headline: say`${user(context.actor.userId)} created ${bold(plan.name)} (${place})${approvedText(context.approvedBy)}: ${stateOf(service)}.`,
    lines: [
      ...changed,
      ...warningsOf(plan.request),
      ...endpointLines(service),
      ...(noted ? [] : [unnoted]),
    ],
    facts: factsOf(service),
    details: detailsOf(service, plan),
    context: say`All fields: in the thread.`,
  };
}

function stateOf({ state }: ServiceRecord): Text {
  return state === undefined
    ? say`the API did not say which state it is in`
    : say`the API reports ${code(state)}`;
}

function factsOf(service: ServiceRecord): readonly Fact[] {
  return [
    ...fact('Replicas', replicasOf(service)),
    ...fact('Memory', memoryOf(service)),
    ...textFact(labelOf('ipAccessList'), accessOf(service.ipAccessList)),
  ];
}

function textFact(label: string, value: Text): readonly Fact[] {
  return value.length === 0 ? [] : [{ label, value }];
}

/**
 * A line for each field in which the record differs from what was asked: a reply with status 200
 * is no promise that everything was applied. A field that the record leaves out says nothing.
 */
function differences(asked: CreateServiceRequest, got: ServiceRecord): readonly Text[] {
  const record: Readonly<Record<string, unknown>> = got;
  const lines = Object.entries(asked).flatMap(([key, wanted]) => {
    const reported = record[key];
    if (typeof wanted === 'object' || reported === undefined || wanted === reported) return [];
    return [line(labelOf(key), say`${code(String(wanted))}`, say`${code(String(reported))}`)];
  });
  return [...lines, ...accessDifference(asked, got), ...endpointDifference(asked, got)];
}

/** The order of the list is the API's to change. */
function accessDifference(asked: CreateServiceRequest, got: ServiceRecord): readonly Text[] {
  const wanted = sources(asked.ipAccessList);
  const reported = sources(got.ipAccessList);
  if (wanted === undefined || reported === undefined || wanted === reported) return [];
  const shown = reported === '' ? say`nobody` : say`${code(reported)}`;
  return [line(labelOf('ipAccessList'), say`${code(wanted)}`, shown)];
}

function sources(list: ServiceRecord['ipAccessList']): string | undefined {
  return list
    ?.map(({ source }) => source.replace(/\/32$/u, ''))
    .sort()
    .join(', ');
}

/** Endpoints may be missing from the record of a service that still provisions. */
function endpointDifference(asked: CreateServiceRequest, got: ServiceRecord): readonly Text[] {
  const wanted = asked.endpoints?.[0]?.enabled;
  const { endpoints = [] } = got;
  if (wanted === undefined || endpoints.length === 0) return [];
  const reported = endpoints.some(({ protocol }) => protocol === 'mysql');
  if (wanted === reported) return [];
  return [line(labelOf('endpoints'), onOff(wanted), onOff(reported))];
}

function onOff(enabled: boolean): Text {
  return [enabled ? 'enabled' : 'disabled'];
}

function line(label: string, wanted: Text, reported: Text): Text {
  return say`${label}: asked for ${wanted}, the API reports ${reported}.`;
}

/** For the requester alone: the way to the password, or why there is none. Design: §7, §13. */
export function passwordCard({ password }: Created, { name }: Plan): RequesterCard {
  const reset = say`Reset it in the console when you need one.`;
  const card = { audience: 'requester', tone: 'plain' } as const;
  switch (password.kind) {
    case 'kept':
      return {
        ...card,
        headline: say`The password of ${bold(name)} is shown once, until ${time(password.expiresAt, 'time')}.`,
        lines: [say`After that, or once it was shown, a new one can be set in the cloud console.`],
        actions: [
          {
            label: 'Show password once',
            style: 'primary',
            do: { kind: 'reveal', secret: password.id },
          },
        ],
      };
    case 'discarded':
      return {
        ...card,
        headline: say`The generated password of ${bold(name)} was discarded, as ${code('steward.yaml')} asks. ${reset}`,
      };
    case 'missing':
      return {
        ...card,
        headline: say`The API sent no password for ${bold(name)}. ${reset}`,
      };
    case 'lost':
      return {
        ...card,
        tone: 'warning',
        headline: say`The password of ${bold(name)} could not be kept and is lost. ${reset}`,
      };
  }
}
