import { bold, code, say, type Text } from '../text/text.ts';
import type { ActivityRecord } from './records.ts';

/** What a type means, where it is known; others are shown as they come. Facts: Activities. */
const WORDS: Readonly<Record<string, string>> = {
  create_organization: 'organization created',
  organization_update_name: 'organization renamed',
  organization_update_tier: 'organization tier changed',
  organization_invite_create: 'invitation sent',
  organization_invite_delete: 'invitation withdrawn',
  organization_member_join: 'member joined',
  organization_member_add: 'member added',
  organization_member_leave: 'member left',
  organization_member_delete: 'member removed',
  organization_member_update_role: 'role of a member changed',
  organization_member_update_roles: 'roles of a member changed',
  organization_member_update_mfa_method: 'second factor of a member changed',
  organization_saml_connection_create: 'SAML connection created',
  organization_saml_connection_update: 'SAML connection changed',
  transfer_service_in: 'service transferred into the organization',
  transfer_service_out: 'service transferred out of the organization',
  save_payment_method: 'payment method saved',
  marketplace_subscription: 'marketplace subscription',
  migrate_marketplace_billing_details_in: 'marketplace billing moved in',
  migrate_marketplace_billing_details_out: 'marketplace billing moved out',
  user_login: 'login',
  user_login_failed: 'failed login',
  user_logout: 'logout',
  key_create: 'API key created',
  key_delete: 'API key deleted',
  openapi_key_update: 'API key changed',
  backup_delete: 'backup deleted',
  service_create: 'service created',
  service_start: 'service started',
  service_stop: 'service stopped',
  service_awaken: 'service woken',
  service_idle: 'service went idle',
  service_running: 'service running',
  service_partially_running: 'service partially running',
  service_delete: 'service deleted',
  service_restore_backup: 'backup restored',
  service_import_to_organization: 'service imported',
  service_export_from_organization: 'service exported',
  service_maintenance_start: 'maintenance began',
  service_maintenance_end: 'maintenance ended',
  service_update_name: 'service renamed',
  service_update_ip_access_list: 'IP access list changed',
  service_update_autoscaling_memory: 'memory limits changed',
  service_update_autoscaling_idling: 'idling changed',
  service_update_autoscaling_replicas: 'number of replicas changed',
  service_update_max_allowable_replicas: 'allowed replicas changed',
  service_update_password: 'service password changed',
  service_update_backup_configuration: 'backup settings changed',
  service_update_snapshot_configuration: 'snapshot settings changed',
  service_update_release_channel: 'release channel changed',
  service_update_gpt_usage_consent: 'consent to AI features changed',
  service_update_private_endpoints: 'private endpoints changed',
  service_update_core_dump: 'core dump setting changed',
};

export const KNOWN_TYPES: readonly string[] = Object.keys(WORDS);

export function wordsFor(type: string): string | undefined {
  return Object.hasOwn(WORDS, type) ? WORDS[type] : undefined;
}

/** `**service_stop** (service stopped)`; a type that is not known is shown as it came. */
export function typeText(type: string | undefined): Text {
  if (type === undefined) return [bold('Activity')];
  const words = wordsFor(type);
  return words === undefined ? [bold(type)] : say`${bold(type)} (${words})`;
}

/** `by user `ana@acme.example` from 203.0.113.7`, as far as the record says. */
export function actorText({
  actorType,
  actorId,
  actorDetails,
  actorIpAddress,
}: ActivityRecord): Text {
  const from = actorIpAddress === undefined ? [] : say` from ${actorIpAddress}`;
  const name = actorDetails ?? actorId;
  if (actorType === undefined && name === undefined) {
    return actorIpAddress === undefined ? [] : say`from ${actorIpAddress}`;
  }
  const kind = actorType === 'api' ? 'api key' : actorType;
  const words = [kind, name].filter((part) => part !== undefined);
  if (name === undefined || kind === undefined) return say`by ${words.join(' ')}${from}`;
  return say`by ${kind} ${code(name)}${from}`;
}
