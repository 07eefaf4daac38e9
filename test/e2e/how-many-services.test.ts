import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { allowEverything } from '../support/permissive.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

const COUNTS = [0, 1, 300] as const;

let world: StewardWorld;
afterEach(() => world.close());

/** So many services in `steward.yaml`, with names as long as they may be. */
function withServices(count: number): (yaml: string) => string {
  const entry = (index: number) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const name = `service ${String(index).padStart(3, '0')} ${'of many'.repeat(6)}`.slice(0, 40);
    return [name, { id, organization: 'acme', tags: ['prod', 'of-many'] }] as const;
  };
  const services = Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index)));
  return (yaml) => {
    const text = allowEverything(yaml);
    const from = text.indexOf('services:\n');
    return `${text.slice(0, from)}${stringify({ services })}${text.slice(text.indexOf('groups:'))}`;
  };
}

function problems(): readonly unknown[] {
  return world.workspace
    .traffic()
    .filter(({ problem }) => problem !== null)
    .map(({ what, problem, detail }) => [what, problem, detail.slice(0, 300)]);
}

describe.each(COUNTS)('with %i services', (count) => {
  it('offers at most 100 of them, the others by what is typed', async () => {
    world = await startWorld({ settings: withServices(count) });
    const ana = world.as('ana').in('#ops');
    await ana.command('/db stop');
    await ana.expectModal(/Stop a service/u);
    expect(await ana.suggest('Service', '')).toHaveLength(Math.min(count, 100));
    const last = count === 0 ? [] : [expect.stringContaining('service')];
    const wanted = `service ${String(Math.max(count - 1, 0)).padStart(3, '0')}`;
    expect(await ana.suggest('Service', wanted)).toEqual(last);
    expect(problems()).toEqual([]);
  });

  it('finds each of them in the list, by its pages and by words', async () => {
    world = await startWorld({ settings: withServices(count) });
    const ana = world.as('ana').in('#ops');
    await ana.command('/db');
    await ana.expectEphemeral(/What you may do here/u);
    await ana.click('Services');
    if (count <= 40) return void (await ana.expectEphemeral(/service (?:is known|000)|1 service/u));
    await ana.expectEphemeral(/^Services 1 to 40 of 300,[\s\S]*service 039/u);
    await ana.click('Next 40');
    await ana.expectEphemeral(/^Services 41 to 80 of 300,[\s\S]*service 079/u);
    await ana.command('/db services 299');
    await ana.expectEphemeral(/^1 of 300 services that fits 299,[\s\S]*service 299/u);
    await ana.command('/db services of-many --page 8');
    await ana.expectEphemeral(/^Services 281 to 300 of 300 that fit of-many/u);
    await ana.click('Find a service');
    await ana.expectModal(/Services[\s\S]*Find/u);
    await ana.fill('Find', '123');
    await ana.submit();
    await ana.expectEphemeral(/^1 of 300 services that fits 123/u);
    expect(problems()).toEqual([]);
  });

  it('lists them, the menu and the Home within what Slack takes', async () => {
    world = await startWorld({ settings: withServices(count) });
    const ana = world.as('ana').in('#ops');
    await ana.command('/db services');
    await ana.expectEphemeral(
      count === 0 ? /No service is known/u : new RegExp(`(?:of )?${count}(?: service|,)`, 'u'),
    );
    await ana.command('/db');
    await ana.expectEphemeral(/What you may do here/u);
    await ana.command('/db can stop');
    await ana.expectEphemeral(/service\.stop/u);
    await world.as('ana').openHome();
    await world.as('ana').expectHome(/#ops|What/u);
    expect(problems()).toEqual([]);
  });
});
