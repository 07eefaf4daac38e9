import type { CreateServiceRequest, ServiceRecord } from '../../core/cloud/records.ts';
import { code, say, type Text } from '../../core/text/text.ts';
import { labelOf } from './words.ts';

const COMPARED = [
  'name',
  'provider',
  'region',
  'numReplicas',
  'minReplicaMemoryGb',
  'maxReplicaMemoryGb',
  'idleScaling',
  'idleTimeoutMinutes',
  'profile',
  'complianceType',
  'releaseChannel',
  'dataWarehouseId',
  'isReadonly',
  'byocId',
  'hasTransparentDataEncryption',
  'tier',
  'minTotalMemoryGb',
  'maxTotalMemoryGb',
] as const satisfies readonly (keyof CreateServiceRequest & keyof ServiceRecord)[];

/**
 * A line for each field in which the record differs from what was asked: a reply with status 200
 * is no promise that everything was applied. A field that the record leaves out says nothing.
 */
export function differences(asked: CreateServiceRequest, got: ServiceRecord): readonly Text[] {
  const lines: Text[] = COMPARED.flatMap((key) => {
    const wanted = asked[key];
    const reported = got[key];
    if (wanted === undefined || reported === undefined || wanted === reported) return [];
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
