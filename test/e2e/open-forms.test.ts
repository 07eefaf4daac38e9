import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshTrigger } from '../support/attacks.ts';
import type { Person } from '../support/person.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld;
let ana: Person;
let rules = '';
beforeAll(async () => {
  world = await startWorld({
    settings: (yaml) => {
      rules = `${yaml}limits: { perPersonPerMinute: 10000, perChannelPerMinute: 10000 }\n`;
      return rules;
    },
  });
});
afterAll(() => world.close());
beforeEach(() => {
  ana = world.as('ana').in('#ops');
  ana.reload();
});
afterEach(async () => {
  world.workspace.faults.heal();
  world.workspace.faults.delay('views.update', 0);
  if (ana.state.views.length > 0) await ana.closeModal({ all: true });
  await useRules(() => rules);
});

/** Waits until the changed rules are in force. */
async function useRules(change: (yaml: string) => string): Promise<void> {
  const heard = () =>
    world.logs.filter(({ fields }) => fields['event'] === 'settings-reloaded').length;
  const before = heard();
  let isNew = false;
  await world.rewriteRules((yaml) => {
    const next = change(yaml);
    isNew = next !== yaml;
    return next;
  });
  if (isNew) await expect.poll(heard).toBeGreaterThan(before);
}

function problems(): readonly unknown[] {
  return world.workspace
    .traffic()
    .filter(({ problem, what }) => problem !== null && what === 'view_submission')
    .map(({ problem }) => problem);
}

function calls(method: string): number {
  return world.workspace.traffic().filter(({ what }) => what === method).length;
}

/** What stands in the open form now, as it would be sent. */
function values(): string {
  return JSON.stringify(world.workspace.state('ana').views.at(-1)?.values);
}

function blocks(): string {
  return JSON.stringify(world.workspace.state('ana').views.at(-1)?.blocks);
}

async function fillCreate(name: string): Promise<void> {
  await ana.command('/db create');
  await ana.expectModal(/Create a service/u);
  await ana.fill('Name', name);
  await ana.select('Provider', 'aws');
  await expect.poll(blocks).toContain('"f:region:aws"');
  await ana.select('Region', 'us-east-1');
  await ana.fill('Who may connect', '203.0.113.0/24 office');
  await ana.fill('Replicas', '5');
  await ana.fill('Memory of a replica, at most (GB)', '64');
}

describe('rules that change under an open form', () => {
  it('are said with what is allowed now, and all that was typed stays', async () => {
    await fillCreate('reporting a');
    await useRules((yaml) => yaml.replace('maxReplicas: 5', 'maxReplicas: 2'));
    await ana.submit();
    await ana.expectModal(
      /The rules changed while this form was open\. What you typed is kept\.[\s\S]*Replicas: The rules here allow at most 2\./u,
    );
    expect(values()).toMatch(/reporting a.*us-east-1.*203\.0\.113\.0/u);
    await ana.fill('Replicas', '2');
    await ana.submit();
    await ana.expectMessage(/created reporting a/u);
  });

  it('are said where nothing is allowed any more, and the same form is sent when it is', async () => {
    await fillCreate('reporting b');
    await useRules((yaml) => yaml.replace('[service.create]', '[digest.read]'));
    await ana.submit();
    await ana.expectModal(
      /rules changed[\s\S]*reporting b was not created: .*no rule for service\.create/u,
    );
    expect(values()).toContain('reporting b');
    await useRules(() => rules);
    await ana.submit();
    await ana.expectMessage(/created reporting b/u);
  });

  it('a choice that is no longer offered is named, and the others stay', async () => {
    await fillCreate('reporting c');
    await ana.click('More settings …');
    await ana.expectModal(/Hide: More settings/u);
    await ana.select('Disk encryption key', 'disk-key');
    await useRules((yaml) =>
      yaml.replace(/^ {2}disk-key: .*\n/mu, `  other-key: { value: \${DISK_KEY} }\n`),
    );
    await ana.submit();
    await ana.expectModal(/disk-key is no longer offered; choose another/u);
    expect(values()).toContain('reporting c');
    expect(values()).not.toContain('disk-key');
    await ana.select('Disk encryption key', 'other-key');
    await ana.submit();
    await ana.expectMessage(/created reporting c/u);
  });

  it('so is a service', async () => {
    await ana.command('/db stop');
    await ana.expectModal(/Stop a service/u);
    await ana.select('Service', 'scratch');
    await ana.fill('Reason', 'it is late');
    await useRules((yaml) => yaml.replace(/^ {2}scratch: .*\n/mu, ''));
    await ana.submit();
    await ana.expectModal(/Service: scratch is no longer offered here/u);
    expect(values()).toContain('it is late');
  });

  it('what is allowed all the same is done without a word', async () => {
    await fillCreate('reporting d');
    await useRules((yaml) => yaml.replace('maxReplicas: 5', 'maxReplicas: 6'));
    await ana.submit();
    await ana.expectMessage(/created reporting d/u);
  });
});

describe('a form that is drawn again', () => {
  it('while it is sent: what is missing now is said, and the last choice stands', async () => {
    await fillCreate('reporting e');
    world.workspace.faults.delay('views.update', 600);
    await ana.select('Provider', 'gcp');
    await ana.submit();
    await ana.expectModal(/Region: This is needed/u);
    expect(blocks()).toContain('"f:region:gcp"');
    expect(problems()).toEqual([]);
    world.workspace.faults.delay('views.update', 0);
    await new Promise((resolve) => setTimeout(resolve, 700));
    // What comes late changes nothing.
    await ana.expectModal(/Region: This is needed/u);
    expect(values()).toMatch(/reporting e/u);
  });

  it('by two changes at once, and by one that comes late', async () => {
    await fillCreate('reporting f');
    world.workspace.faults.delay('views.update', 300);
    await ana.select('Provider', 'azure');
    const older = world.workspace.lastDelivery()?.payload ?? {};
    await ana.select('Provider', 'gcp');
    await expect.poll(blocks).toContain('"f:region:gcp"');
    world.workspace.faults.delay('views.update', 0);
    await world.workspace.deliver('interactive', { ...older, trigger_id: freshTrigger() });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(blocks()).toContain('"f:region:gcp"');
    expect(blocks()).not.toContain('"f:region:azure"');
  });

  it('keeps a choice that is valid, also when the provider comes back', async () => {
    await fillCreate('reporting g');
    await ana.select('Provider', 'gcp');
    await expect.poll(blocks).toContain('"f:region:gcp"');
    await ana.select('Provider', 'aws');
    await expect.poll(blocks).toContain('"f:region:aws"');
    expect(values()).toContain('us-east-1');
    await ana.fill('Name', 'not-a-name');
    await ana.submit();
    await ana.expectModalError('Name', /Letters, digits and spaces/u);
    expect(values()).toContain('us-east-1');
    await ana.fill('Name', 'reporting g');
    await ana.submit();
    await ana.expectMessage(/created reporting g/u);
  });

  it.each([1, 2])('is drawn in the end after %i refusals of its hash', async (times) => {
    await ana.command('/db create');
    await ana.expectModal(/Create a service/u);
    world.workspace.faults.failNext('views.update', 'hash_conflict', times);
    await ana.select('Provider', 'gcp');
    await expect.poll(blocks).toContain('"f:region:gcp"');
  });

  it.each(['hash_conflict', 'internal_error'])('says so after %s without an end', async (error) => {
    await ana.command('/db create');
    await ana.expectModal(/Create a service/u);
    world.workspace.faults.failNext('views.update', error, 100);
    await ana.select('Provider', 'gcp');
    await ana.expectEphemeral(
      /Slack did not draw the form Create a service again, so it may show old choices/u,
    );
    world.workspace.faults.heal();
    await ana.select('Provider', 'gcp');
    await expect.poll(blocks).toContain('"f:region:gcp"');
  });
});

it('a form that was not drawn again, when sent, is answered by what was chosen in it', async () => {
  await fillCreate('reporting h');
  world.workspace.faults.failNext('views.update', 'internal_error', 100);
  await ana.select('Provider', 'gcp');
  await ana.expectEphemeral(/Slack did not draw the form Create a service again/u);
  await ana.submit();
  await ana.expectModal(/Region: This is needed/u);
  expect(blocks()).toContain('"f:region:gcp"');
  expect(values()).toContain('reporting h');
  expect(problems()).toEqual([]);
});

describe('one press', () => {
  it('opens one form, pressed twice or delivered twice', async () => {
    await ana.command('/db');
    await ana.expectEphemeral(/What you may do here/u);
    const before = calls('views.open');
    await Promise.all([ana.click('Stop a service'), ana.click('Stop a service')]);
    await ana.expectModal(/Stop a service/u);
    await world.workspace.redeliver();
    await ana.fill('Reason', 'typed already');
    expect(calls('views.open')).toBe(before + 1);
    expect(values()).toContain('typed already');
  });

  it('a later one opens another', async () => {
    await ana.command('/db');
    await ana.expectEphemeral(/What you may do here/u);
    await ana.click('Stop a service');
    await ana.expectModal(/Stop a service/u);
    await ana.closeModal();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await ana.click('Stop a service');
    await ana.expectModal(/Stop a service/u);
  });
});
