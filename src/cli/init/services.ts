import { controlOf } from '../../app/ports.ts';
import type { Chosen } from '../../config/edit-files.ts';
import { AppError } from '../../core/cloud/errors.ts';
import { plain } from '../../core/text/text.ts';
import { type Answering, keyVariables, type Organization, variable } from './answering.ts';
import { uuidFault } from './questions.ts';

/** The API lists no services; the costs of the last days name those that cost something. */
export async function servicesOf(answering: Answering): Promise<Chosen['services']> {
  const { flags, asker, tools, organizations } = answering;
  if (flags.service !== undefined) {
    return flags.service.map((typed) => typedService(typed, organizations));
  }
  if (organizations.length > 0) return await ofSeveral(answering);
  const named = await namedByCosts(undefined, answering);
  if (asker === undefined) return named.map((one) => ({ ...one, tags: [] }));
  if (named.length === 0) {
    tools.output.print('The API named no services; add them to steward.yaml by id.');
    return [];
  }
  const choices = named.map(({ id, name }) => ({ value: id, label: name, hint: id }));
  const ids = await asker.several('Which services?', choices, false);
  const prod = await asker.several(
    'Which of them are production?',
    choices.filter(({ value }) => ids.includes(value)),
    false,
  );
  return named
    .filter(({ id }) => ids.includes(id))
    .map((one) => ({ ...one, tags: [prod.includes(one.id) ? 'prod' : 'dev'] }));
}

/** All of them, each under its organization, which the rules name by a tag. */
async function ofSeveral(answering: Answering): Promise<Chosen['services']> {
  const found: Chosen['services'][number][] = [];
  for (const organization of answering.organizations) {
    const { name } = organization;
    const named = await namedByCosts(organization, answering);
    found.push(...named.map((one) => ({ ...one, organization: name, tags: [name] })));
  }
  return found;
}

function typedService(
  typed: string,
  organizations: readonly Organization[],
): Chosen['services'][number] {
  const [, name = '', id = '', tags = ''] = /^([^=]+)=([^:]+)(?::(.*))?$/u.exec(typed) ?? [];
  if (name === '' || uuidFault(id) !== undefined) {
    throw new AppError('invalid', {
      userMessage: `--service takes NAME=UUID or NAME=UUID:TAG, not ${typed}.`,
    });
  }
  const words = tags.split(',').filter((tag) => tag !== '');
  const organization = organizations.find((one) => words.includes(one.name))?.name;
  return { name, id, tags: words, organization };
}

const COST_DAYS = 7;

async function namedByCosts(
  named: Organization | undefined,
  { env, tools, network }: Answering,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const key = keyVariables(named?.name);
  const organization = {
    ...{ key: named?.name ?? 'default', names: 'neutral' as const },
    id: named?.id ?? variable(env, 'ORGANIZATION_ID'),
    keyId: variable(env, key.id),
    keySecret: variable(env, key.secret),
  };
  const { clock, logger, output } = tools;
  const environment = { controlApiUrl: variable(env, 'CONTROL_API_URL').replace(/\/+$/u, '') };
  const settings = { get: () => ({ organizations: [organization] }) };
  const control = controlOf({ environment }, { settings, clock, logger, network });
  try {
    const now = clock.now();
    const range = {
      from: now.minus({ days: COST_DAYS }).toISODate(),
      to: now.minus({ days: 1 }).toISODate(),
    };
    const costs = await control.usageCost(organization.key, range);
    const names = new Map<string, string>();
    for (const { entityId, entityName, entityType } of costs.result.costs) {
      if (entityType === 'service' && entityName !== undefined) names.set(entityId, entityName);
    }
    output.print(`The control API answers; its costs name ${names.size} services.`);
    return [...names].map(([id, name]) => ({ id, name }));
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    output.print(`The control API: ${plain(thrown.userMessage)}`);
    return [];
  } finally {
    await control.close();
  }
}
