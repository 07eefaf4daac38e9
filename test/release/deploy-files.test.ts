import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { knownActions } from '../../src/app/app.ts';
import { createMetrics, startHealthServer } from '../../src/app/health.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { parseDatabaseUrl } from '../../src/storage/database/database-url.ts';
import { type ImageStep, imageSteps } from '../support/image-steps.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const VERSION: string = JSON.parse(read('package.json')).version;
const KUBERNETES = 'deploy/kubernetes';

/** What src/config/environment.ts reads. */
const VARIABLES = [...read('src/config/environment.ts').matchAll(/'([A-Z][A-Z_]{3,})'/gu)].map(
  ([, name]) => name,
);
/** Not Steward's: of Node, and of the Postgres image. */
const OF_OTHERS = ['NODE_ENV', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD'];

/** How long `stop()` of src/app/app.ts waits for running work. */
const DRAIN_S =
  Number(/DRAIN_MS = ([\d_]+)/u.exec(read('src/app/app.ts'))?.[1]?.replace('_', '')) / 1_000;

/** Paths of the health server as it answers them, asked once. */
const served: Record<string, number> = {};
beforeAll(async () => {
  const deaf = { connections: () => 0, database: async () => ['no answer'], troubles: () => [] };
  const server = await startHealthServer(0, deaf, createMetrics());
  for (const path of ['/livez', '/healthz', '/metrics', '/nothing']) {
    served[path] = (await fetch(`http://127.0.0.1:${server.port}${path}`)).status;
  }
  await server.close();
});

const PLACES = { STEWARD_CONFIG: '/etc/steward/steward.yaml', HEALTH_PORT: '8080' };

describe('the Dockerfile', () => {
  const steps = imageSteps(read('Dockerfile'));
  const of = (name: string): readonly ImageStep[] => steps.filter((step) => step.name === name);
  const last = steps.slice(steps.findLastIndex(({ name }) => name === 'FROM'));
  const text = (name: string): readonly string[] =>
    last.filter((step) => step.name === name).map((step) => step.rest);
  const settings = Object.fromEntries(text('ENV').map((one) => one.split('=', 2)));

  it('takes one exact release of the Node that is the LTS, in each stage', () => {
    const images = of('FROM').map(({ rest }) => rest.split(' ')[0]);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^node:24\.\d+\.\d+-bookworm-slim$/u);
  });

  it('keeps the rules by which such files are judged', () => {
    expect(of('ADD')).toEqual([]);
    expect(of('MAINTAINER')).toEqual([]);
    for (const { rest } of of('RUN')) {
      expect(rest).not.toMatch(/apt-get|\bsudo\b|curl|wget|\bcd /u);
      if (rest.includes('npm ')) expect(rest).toMatch(/^npm (?:ci|run) /u);
    }
    for (const { rest } of of('WORKDIR')) expect(rest).toMatch(/^\//u);
    for (const { rest } of of('COPY')) {
      // Several sources need a folder as their place.
      const [to = '', ...from] = rest
        .split(' ')
        .filter((part) => !part.startsWith('--'))
        .reverse();
      expect(from.length === 1 || to.endsWith('/')).toBe(true);
    }
    expect(text('COPY').every((rest) => rest.includes('--chown=0:0'))).toBe(true);
    expect(read('Dockerfile')).not.toMatch(/(?:TOKEN|SECRET|PASSWORD)\w*=/u);
  });

  it('runs as no root, with node as process 1', () => {
    expect(text('USER')).toEqual(['1000:1000']);
    expect(
      last.slice(last.findIndex(({ name }) => name === 'USER')).map(({ name }) => name),
    ).toEqual(['USER', 'ENTRYPOINT', 'CMD']);
    expect(JSON.parse(text('ENTRYPOINT')[0] ?? '')).toEqual(['node', '/app/dist/main.js']);
    expect(JSON.parse(text('CMD')[0] ?? '')).toEqual(['start']);
  });

  it('writes to its volume alone, and asks /healthz where it is served', () => {
    expect(settings).toEqual({
      NODE_ENV: 'production',
      ...PLACES,
      DATABASE_URL: 'sqlite:/data/steward.db',
    });
    expect(text('VOLUME')).toEqual(['/data']);
    expect(text('RUN')).toEqual([expect.stringMatching(/-o 1000 -g 1000 .*\/data$/u)]);
    expect(text('EXPOSE')[0]?.split(' ')).toEqual(['8080', defaultPort()]);
    const [check = ''] = text('HEALTHCHECK');
    expect(check).toContain("process.env.HEALTH_PORT + '/healthz'");
    expect(JSON.parse(/CMD (\[.*)$/u.exec(check)?.[1] ?? '')).toHaveLength(3);
  });

  it('sends nothing to the engine but what it copies', () => {
    const [first, ...rest] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    const copied = of('COPY')
      .filter(({ rest: words }) => !words.includes('--from='))
      .flatMap(({ rest: words }) => words.split(' ').slice(0, -1))
      .filter((part) => !part.startsWith('--'));
    expect(rest.map((line) => line.slice(1)).sort()).toEqual([...new Set(copied)].sort());
    for (const path of copied) expect(existsSync(join(ROOT, path)), path).toBe(true);
  });
});

/** PORT where it is not set. */
function defaultPort(): string {
  return /read\.port\('PORT'\) \?\? (\d+)/u.exec(read('src/config/environment.ts'))?.[1] ?? '';
}

type ComposeService = {
  readonly image: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly stop_grace_period: string;
  readonly [key: string]: unknown;
};
type Compose = {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};

describe('the compose files', () => {
  const alone: Compose = parse(read('compose.yaml'));
  const several: Compose = parse(read('compose.postgres.yaml'));
  const { steward } = alone.services;

  it('run one bot on SQLite, locked up', () => {
    expect(Object.keys(alone.services)).toEqual(['steward']);
    expect(steward).toMatchObject({
      image: `steward:${VERSION}`,
      env_file: '.env',
      environment: { ...PLACES, DATABASE_URL: 'sqlite:/data/steward.db' },
      volumes: ['data:/data', './rules:/etc/steward:ro'],
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(Number.parseInt(steward?.stop_grace_period ?? '', 10)).toBeGreaterThan(DRAIN_S);
  });

  it('put two in its place on Postgres: the same service, never both', () => {
    expect(Object.keys(several.services)).toEqual(['steward', 'postgres']);
    expect(several.services['steward']).toMatchObject({
      deploy: { replicas: 2 },
      depends_on: { postgres: { condition: 'service_healthy' } },
    });
    const url = several.services['steward']?.environment['DATABASE_URL'] ?? '';
    const filled = url.replace(/\$\{POSTGRES_PASSWORD:\?[^}]*\}/u, 'fake0password');
    const { POSTGRES_USER, POSTGRES_DB } = several.services['postgres']?.environment ?? {};
    expect(filled).toBe(`postgres://${POSTGRES_USER}:fake0password@postgres:5432/${POSTGRES_DB}`);
    expect(parseDatabaseUrl(filled).kind).toBe('postgres');
  });

  it('name volumes, images and variables that exist', () => {
    for (const { services, volumes } of [alone, several]) {
      for (const service of Object.values(services)) {
        if (service.image !== undefined) expect(service.image).toMatch(/:\d+\.\d+/u);
        expectKnown(Object.keys(service.environment));
        const named = (service.volumes ?? []).flatMap((one) => /^(\w+):/u.exec(one)?.[1] ?? []);
        for (const name of named) expect(Object.keys(volumes)).toContain(name);
      }
    }
  });
});

function expectKnown(names: readonly string[]): void {
  for (const name of names) expect([...VARIABLES, ...OF_OTHERS]).toContain(name);
}

type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // biome-ignore lint/suspicious/noExplicitAny: what each kind holds is asked of it below
  readonly spec: any;
};

describe('the cluster', () => {
  const kustomization = parse(read(`${KUBERNETES}/kustomization.yaml`));
  const files = readdirSync(join(ROOT, KUBERNETES)).filter((name) => name !== 'kustomization.yaml');
  const manifests = new Map<string, Manifest>(
    files
      .filter((name) => name !== 'rules.yaml')
      .map((name) => [name, parse(read(`${KUBERNETES}/${name}`))]),
  );
  const ofKind = (kind: string) => [...manifests.values()].find((one) => one.kind === kind)?.spec;
  const deployment = ofKind('Deployment');
  const pod = deployment.template.spec;
  const [container] = pod.containers;

  it('is made of the files of its folder, in versions that clusters serve', () => {
    expect([...kustomization.resources, 'service.yaml'].sort()).toEqual(
      [...manifests.keys()].sort(),
    );
    expect(
      [...manifests.values()].map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).sort(),
    ).toEqual([
      'apps/v1 Deployment',
      'networking.k8s.io/v1 NetworkPolicy',
      'policy/v1 PodDisruptionBudget',
      'v1 Service',
      'v1 ServiceAccount',
    ]);
    expect(kustomization.images).toEqual([
      { name: container.image, newName: expect.any(String), newTag: VERSION },
    ]);
  });

  it('selects its own pods everywhere', () => {
    const { labels } = deployment.template.metadata;
    const selected = [
      deployment.selector.matchLabels,
      ofKind('PodDisruptionBudget').selector.matchLabels,
      ofKind('NetworkPolicy').podSelector.matchLabels,
      ofKind('Service').selector,
      pod.topologySpreadConstraints[0].labelSelector.matchLabels,
    ];
    for (const one of selected) expect(one).toEqual(labels);
  });

  it('keeps to the restricted standard of pods', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.hostNetwork ?? pod.hostPID ?? pod.initContainers).toBeUndefined();
  });

  it('runs two replicas, on Postgres alone, and lets one go at a time', () => {
    expect(deployment.replicas).toBe(2);
    expect(ofKind('PodDisruptionBudget').minAvailable).toBe(1);
    expect(deployment.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(DRAIN_S);
    const database = container.env.find(({ name }: { name: string }) => name === 'DATABASE_URL');
    expect(database.valueFrom.secretKeyRef).toEqual({ name: 'steward', key: 'DATABASE_URL' });
    expect(container.envFrom).toEqual([{ secretRef: { name: 'steward' } }]);
    expectKnown(container.env.map(({ name }: { name: string }) => name));
  });

  it('asks what the bot answers: the process alone for a restart, all of it for traffic', () => {
    const ports = Object.fromEntries(
      container.ports.map((one: { name: string; containerPort: number }) => [
        one.name,
        one.containerPort,
      ]),
    );
    expect(ports).toEqual({ health: Number(PLACES.HEALTH_PORT), http: Number(defaultPort()) });
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      expect(container[probe].httpGet.port).toBe('health');
    }
    // Deaf and without a database the process still lives.
    expect(served).toEqual({ '/livez': 200, '/healthz': 503, '/metrics': 200, '/nothing': 404 });
    expect(container.livenessProbe.httpGet.path).toBe('/livez');
    expect(container.startupProbe.httpGet.path).toBe('/livez');
    expect(container.readinessProbe.httpGet.path).toBe('/healthz');
    expect(deployment.template.metadata.annotations).toEqual({
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': PLACES.HEALTH_PORT,
      'prometheus.io/path': '/metrics',
    });
    const { ingress, egress } = ofKind('NetworkPolicy');
    const open = (rules: { ports: { port: number }[] }[]) =>
      rules.flatMap((one) => one.ports.map(({ port }) => port));
    expect(open(ingress)).toEqual(Object.values(ports));
    expect(open(egress)).toEqual([53, 53, 443, 5432]);
    expect(ofKind('Service').ports[0].targetPort).toBe('http');
  });

  it('mounts the rules as a folder under one name, so that a change is seen', () => {
    const [generated] = kustomization.configMapGenerator;
    expect(kustomization.generatorOptions.disableNameSuffixHash).toBe(true);
    expect(generated.files).toEqual(['steward.yaml=rules.yaml']);
    expect(pod.volumes[0]).toEqual({ name: 'rules', configMap: { name: generated.name } });
    const [mount] = container.volumeMounts;
    expect(mount).toEqual({ name: 'rules', mountPath: '/etc/steward', readOnly: true });
    expect(container.env[0]).toEqual({
      name: 'STEWARD_CONFIG',
      value: `${mount.mountPath}/steward.yaml`,
    });
    expect(container.volumeMounts.map((one: { name: string }) => one.name)).toEqual(
      pod.volumes.map((one: { name: string }) => one.name),
    );
  });

  it('has rules that start, with what the Secret is said to hold', () => {
    const named = /The Secret `steward` holds ([\s\S]*?), and what/u.exec(
      read(`${KUBERNETES}/deployment.yaml`),
    )?.[1];
    const values: Record<string, string> = {
      SLACK_BOT_TOKEN: 'xoxb-fake',
      SLACK_APP_TOKEN: 'xapp-fake',
      CONTROL_API_URL: 'https://control.example.com',
      ORGANIZATION_ID: '5f1c2a7e-8d34-4b1f-9c60-2e7d41a0b835',
      DATABASE_URL: 'postgres://steward:fake@postgres/steward',
    };
    const names = [...(named ?? '').matchAll(/[A-Z_]{6,}/gu)].map(([name]) => name);
    const env = Object.fromEntries(
      names.map((name) => [name, values[name] ?? `fake-${name}-of-the-secret`]),
    );
    const STEWARD_CONFIG = join(ROOT, KUBERNETES, 'rules.yaml');
    const { settings } = loadConfiguration({ env: { ...env, STEWARD_CONFIG }, knownActions });
    expect(settings.channels).toHaveLength(1);
  });
});

describe('the unit', () => {
  const unit = read('deploy/systemd/steward.service');
  const set = (key: string): readonly string[] =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gmu'))].map(([, value = '']) => value);
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'steward-unit-'));
    const here = unit
      .replace('/usr/bin/node', process.execPath)
      .replaceAll('/opt/steward/', ROOT)
      .replace('/dist/main.js', '/package.json');
    writeFileSync(join(folder, 'steward.service'), here);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('starts the bot as nobody, where it writes to its state alone', () => {
    expect(set('ExecStart')).toEqual(['/usr/bin/node /opt/steward/dist/main.js start']);
    expect(set('DynamicUser')).toEqual(['yes']);
    const [directory] = set('StateDirectory');
    const environment = Object.fromEntries(set('Environment').map((one) => one.split('=', 2)));
    expect(environment['DATABASE_URL']).toBe(`sqlite:/var/lib/${directory}/steward.db`);
    expectKnown(Object.keys(environment));
    expect(set('EnvironmentFile')).toEqual([`${set('WorkingDirectory')[0]}/steward.env`]);
    expect(set('MemoryDenyWriteExecute')).toEqual([]);
  });

  it('lets it drain, and does not repeat what no repetition mends', () => {
    expect(set('KillSignal')).toEqual(['SIGTERM']);
    expect(Number(set('TimeoutStopSec')[0])).toBeGreaterThan(DRAIN_S);
    const codes = ['EXIT_CONFIGURATION', 'EXIT_REVOKED'].map(
      (name) => new RegExp(`${name} = (\\d)`, 'u').exec(read('src/main.ts'))?.[1],
    );
    expect(set('RestartPreventExitStatus')).toEqual([codes.join(' ')]);
  });

  it.runIf(hasSystemd())('is taken by systemd without a word, and is closed tightly', () => {
    const file = join(folder, 'steward.service');
    const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect(verified.stderr.split('\n').filter((line) => line.includes(folder))).toEqual([]);
    expect(verified.status).toBe(0);
    // 0 is a locked room, 10 an open field; units as they come are above 9.
    const judged = spawnSync('systemd-analyze', [
      'security',
      '--offline=true',
      '--threshold=20',
      file,
    ]);
    expect(judged.status).toBe(0);
  });
});

function hasSystemd(): boolean {
  const { stdout } = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
  return Number(/^systemd (\d+)/u.exec(stdout ?? '')?.[1] ?? 0) >= 250;
}

describe('what the files say in their first lines', () => {
  it.each([
    'Dockerfile',
    'compose.yaml',
    'compose.postgres.yaml',
    `${KUBERNETES}/kustomization.yaml`,
  ])('%s: names files that are there', (path) => {
    const named = [...read(path).matchAll(/(?:cp |-f |-k )([\w./-]+)/gu)].map(
      ([, name = '']) => name,
    );
    for (const name of named) expect(existsSync(join(ROOT, name)), name).toBe(true);
  });
});
