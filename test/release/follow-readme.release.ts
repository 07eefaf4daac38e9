/**
 * What README.md and the Dockerfile say, done literally in empty folders: as from a clone, as from the
 * package, as installed for production, as in the image. `npm ci` of the checkout itself was run before.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imageSteps } from '../support/image-steps.ts';
import { type Program, type Ran, runLine, startProgram } from '../support/programs.ts';
import { type StandIns, startStandIns } from '../support/stand-ins.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
const READY = /\{[^\n]*"event":"ready"[^\n]*\}/u;

let ground: string;
/** What somebody has after `git clone`, with what `npm ci` installed. */
let clone: string;
let standIns: StandIns;
/** With Node 24 first. */
let path24: string;
let drivers: Server;
/** For installs: a cache of programs of its own, and the finished driver as the internet has it. */
let installs: Record<string, string>;
const programs: Program[] = [];

function started(program: Program): Program {
  programs.push(program);
  return program;
}

beforeAll(async () => {
  ground = await mkdtemp(join(tmpdir(), 'steward-release-'));
  clone = join(ground, 'clone');
  await succeeds(`mkdir clone && cd ${ROOT} && git ls-files -co --exclude-standard -z |
    tar --create --null --files-from=- | tar --extract --directory=${clone} &&
    ln -s ${ROOT}node_modules ${clone}/node_modules`);
  path24 = (await succeeds(`${ROOT}scripts/with-node24.sh sh -c 'echo $PATH'`)).out.trim();
  standIns = await startStandIns();
  drivers = await serveDriver();
  const { port } = drivers.address() as AddressInfo;
  installs = {
    npm_config_cache: join(ground, 'npm'),
    npm_config_prefer_offline: 'true',
    npm_config_better_sqlite3_binary_host: `http://127.0.0.1:${port}`,
  };
  await succeeds('mkdir npm && ln -s "$(npm config get cache)/_cacache" npm/');
});

afterAll(async () => {
  for (const program of programs) program.kill();
  drivers?.close();
  await standIns?.close();
  await rm(ground, { recursive: true, force: true });
});

/**
 * Elsewhere an install finds better-sqlite3 built for its Node; here no such file can be had, and a build
 * takes two minutes. So what `npm ci` built for this Node is offered the same way; none for others.
 */
async function serveDriver(): Promise<Server> {
  const built = join(ROOT, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node');
  const place = join(ground, 'driver');
  if (existsSync(built)) {
    await succeeds(`mkdir -p ${place}/build/Release && cp ${built} ${place}/build/Release/ &&
      tar -czf driver.tgz -C ${place} build`);
  }
  const server = createServer((request, response) => {
    const isThisNode = request.url?.includes(`-node-v${process.versions.modules}-`) === true;
    const isThere = isThisNode && existsSync(built);
    response.writeHead(isThere ? 200 : 404);
    response.end(isThere ? readFileSync(join(ground, 'driver.tgz')) : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function succeeds(
  line: string,
  place: Partial<Parameters<typeof runLine>[1]> = {},
): Promise<Ran> {
  const ran = await runLine(line, { cwd: ground, ...place });
  expect(ran.code, `${line}\n${ran.out}`).toBe(0);
  return ran;
}

/** What stands in the fenced blocks of README.md. */
function readmeLines(): readonly string[] {
  const text = readFileSync(join(clone, 'README.md'), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gmu)].flatMap(([, body = '']) =>
    body.trim().split('\n'),
  );
}

/** The printed address answers with the page; gives the address. */
async function showsItsPage(program: Program): Promise<string> {
  const [, url = ''] = await program.prints(/The playground is at (http\S+)/u);
  expect(await (await fetch(url)).text()).toContain('<title>');
  return url;
}

/** For people, and never the trace of an error. */
function expectWords({ out }: Ran, words: RegExp): void {
  expect(out).toMatch(words);
  expect(out).not.toMatch(/^ {4}at /mu);
}

describe('a clone', () => {
  it('is set up by the two commands of the README', async () => {
    expect(readmeLines()).toEqual(
      expect.arrayContaining(['npm ci && npm run playground', 'npm ci && npm test']),
    );
    const command = ['npm', 'run', 'playground', '--', '--port', '0', '--no-open'];
    const playground = started(startProgram(command, { cwd: clone }));
    await showsItsPage(playground);
    expect(await playground.terminate()).toBe(0);
  });
});

describe('the package', () => {
  const file = `steward-${VERSION}.tgz`;
  /** Runs the packed program as README.md does, in an empty folder. */
  const packed = (name: string): string => `npx --yes ./${file} ${name}`;

  /** On the machine's Node, and on 24, where nothing has to be compiled. */
  const nodes = () => [
    { cwd: join(ground, 'packed'), env: installs },
    {
      cwd: join(ground, 'packed-24'),
      env: { ...installs, PATH: path24, npm_config_ignore_scripts: 'true' },
    },
  ];

  /** What is typed, how it ends, what it says. Recipes and `init` have their lines here. */
  const COMMANDS: readonly (readonly [string, number, RegExp])[] = [
    ['--version', 0, new RegExp(`^${VERSION.replaceAll('.', '\\.')}$`, 'mu')],
    ['doctor', 1, /^PROBLEM {2}SLACK_BOT_TOKEN: is not set/mu],
    ['start', 2, /^Steward did not start: 4 problems in its configuration\.$/mu],
    ['policy check', 1, /steward\.yaml/u],
    ['policy schema', 0, /"\$schema"/u],
    ['manifest', 0, /^display_information:$/mu],
  ];

  beforeAll(async () => {
    await succeeds('npm pack --silent', { cwd: clone });
    for (const { cwd } of nodes()) {
      await mkdir(cwd);
      await cp(join(clone, file), join(cwd, file));
    }
  });

  it('is small, and holds what runs and nothing else', async () => {
    expect(statSync(join(clone, file)).size).toBeLessThan(5 * 1024 * 1024);
    const { out } = await succeeds(`tar -tzf ${file}`, { cwd: clone });
    const held = out
      .trim()
      .split('\n')
      .map((line) => line.replace('package/', ''));
    for (const wanted of [
      'dist/main.js',
      'dist/page/index.html',
      'LICENSE',
      'README.md',
      'docs/steward.schema.json',
      'steward.example.yaml',
      '.env.example',
      'CHANGELOG.md',
    ]) {
      expect(held).toContain(wanted);
    }
    expect(
      held.filter((name) => /^(?:src|test|scripts|node_modules)\/|\.map$|\.env$/u.test(name)),
    ).toEqual([]);
  });

  it('runs with npx in an empty folder, on both Nodes', async () => {
    for (const place of nodes()) {
      for (const [line, code, words] of COMMANDS) {
        const ran = await runLine(packed(line), place);
        expect(ran.code, `${line}\n${ran.out}`).toBe(code);
        expectWords(ran, words);
      }
      const line = packed('playground --port 0 --no-open').split(' ');
      const playground = started(startProgram(line, place));
      const url = await showsItsPage(playground);
      await playground.interrupt();
      await expect(fetch(url)).rejects.toThrow();
      expect(readdirSync(place.cwd)).toEqual([file]);
    }
  });

  it('runs unpacked, with none of its packages, as the unit of systemd starts it', async () => {
    const place = { cwd: ground, env: { PATH: path24 } };
    await succeeds(`mkdir opt && tar -xzf clone/${file} -C opt --strip-components=1`, place);
    const env = { ...standIns.env(), PATH: path24, DATABASE_URL: `sqlite:${ground}/opt.db` };
    const bot = started(
      startProgram(['node', `${ground}/opt/dist/main.js`, 'start'], { cwd: standIns.folder, env }),
    );
    await bot.prints(READY);
    expect(await bot.terminate()).toBe(0);
  });
});

describe('a production install of a clone that was built', () => {
  beforeAll(async () => {
    // The link goes first: what an install removes must be its own.
    await succeeds('rm node_modules && npm ci --omit=dev', { cwd: clone, env: installs });
  });

  it('comes as far as its configuration', async () => {
    expect(existsSync(join(clone, 'node_modules/esbuild'))).toBe(false);
    const ran = await runLine('npm start', { cwd: clone });
    expect(ran.code).toBe(2);
    expectWords(ran, /^Steward did not start: 4 problems/mu);
  });

  it('gets ready, ends with 0, and has loaded nothing of the sandbox', async () => {
    const loaded = join(ground, 'loaded');
    const env = { ...standIns.env(), NODE_V8_COVERAGE: loaded };
    const bot = started(startProgram(['npm', 'start'], { cwd: clone, env }));
    await bot.prints(READY);
    await bot.terminate();
    const sources = loadedSources(loaded);
    expect(sources).toContain('src/app/app.ts');
    expect(sources.filter((name) => name.startsWith('src/sandbox/'))).toEqual([]);
  });
});

/** Our sources in the files that processes loaded, as their coverage names those. */
function loadedSources(folder: string): readonly string[] {
  const files = readdirSync(folder).flatMap((name): string[] =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')).result.map(
      ({ url }: { url: string }) => url,
    ),
  );
  const ours = [...new Set(files)].filter((url) => url.startsWith(`file://${clone}/dist/`));
  return ours.flatMap((url): string[] => {
    const map = `${fileURLToPath(url)}.map`;
    const { sources }: { sources: string[] } = JSON.parse(readFileSync(map, 'utf8'));
    return sources.map((name) => name.replace('../', ''));
  });
}

/** A root, processes and mounts of its own, as a container engine gives them. */
const isolates = spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;

describe('the image', () => {
  const steps = imageSteps(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
  let root: string;

  it('is built by the steps of the Dockerfile in empty folders, on its Node', async () => {
    root = await buildImage();
    expect(readdirSync(join(root, 'app')).sort()).toEqual(['LICENSE', 'dist', 'package.json']);
    expect((await succeeds(`du -sm ${root}/app | cut -f 1`)).out.trim()).toMatch(/^[1-5]$/u);
  });

  it('gets ready as process 1 with a read-only root and no rights, is healthy, and drains at SIGTERM', async () => {
    await succeeds(
      `mkdir -p ${root}/etc/steward && cp ${standIns.folder}/steward.yaml ${root}/etc/steward/`,
    );
    const bot = started(inContainer(JSON.parse(last('ENTRYPOINT')), JSON.parse(last('CMD'))));
    await bot.prints(READY);
    const check = started(
      inContainer(JSON.parse(/CMD (\[.*)$/u.exec(last('HEALTHCHECK'))?.[1] ?? ''), []),
    );
    await expect.poll(() => check.child.exitCode).toBe(0);
    expect(await bot.terminate()).toBe(0);
    expect(readdirSync(join(root, 'data'))).toContain('steward.db');
  });

  const last = (name: string): string => steps.findLast((step) => step.name === name)?.rest ?? '';

  /** Each stage in a folder of its own, its absolute paths below that. */
  async function buildImage(): Promise<string> {
    let stage = '';
    let cwd = '';
    for (const { name, rest } of steps) {
      if (name === 'FROM') {
        stage = join(ground, 'image', /AS (\w+)$/u.exec(rest)?.[1] ?? 'last');
        await mkdir(stage, { recursive: true });
      }
      if (name === 'WORKDIR') {
        cwd = join(stage, rest);
        await mkdir(cwd, { recursive: true });
      }
      if (name === 'COPY') await copy(rest, cwd);
      if (name === 'RUN')
        await succeeds(rest.replace(/ \/data$/u, ` ${stage}/data`), {
          cwd,
          env: { ...installs, PATH: path24 },
        });
    }
    return stage;
  }

  async function copy(rest: string, cwd: string): Promise<void> {
    const words = rest.split(' ');
    const from = /--from=(\w+)/u.exec(rest)?.[1];
    const paths = words.filter((word) => !word.startsWith('--'));
    const place = paths.pop() ?? '';
    for (const path of paths) {
      const source = from === undefined ? join(clone, path) : join(ground, 'image', from, path);
      const isFolder = place.endsWith('/');
      await cp(source, isFolder ? join(cwd, place, path) : join(cwd, place), { recursive: true });
    }
  }

  function inContainer(entry: readonly string[], command: readonly string[]): Program {
    const settings = steps
      .filter(({ name }) => name === 'ENV')
      .map(({ rest }) => rest.split('=', 2));
    const { PATH: _, STEWARD_CONFIG: __, DATABASE_URL: ___, ...env } = standIns.env();
    const given = { ...env, ...Object.fromEntries(settings) };
    const node = `${path24.split(':')[0]}/node`;
    if (!isolates) return withoutIsolation([...entry, ...command], node, given);
    const script = join(ROOT, 'test/support/as-container.sh');
    return startProgram(
      [
        'unshare',
        '--mount',
        '--pid',
        '--fork',
        '--kill-child',
        script,
        root,
        node,
        ...entry,
        ...command,
      ],
      { cwd: ground, env: given },
    );
  }

  /** Where a machine gives no right to a root of its own: the same command on the same files. */
  function withoutIsolation(
    [, ...command]: readonly string[],
    node: string,
    env: Readonly<Record<string, string>>,
  ): Program {
    process.stderr.write('unshare is not allowed: the image runs without a root of its own\n');
    const moved = Object.entries(env).map(([name, value]) => [
      name,
      value.replace(/(?<=^|:)\/(?=data|etc\/steward)/u, `${root}/`),
    ]);
    const cwd = join(root, 'app');
    const line = command.map((word) => word.replace(/^\/app\//u, `${cwd}/`));
    return startProgram([node, ...line], { cwd, env: Object.fromEntries(moved) });
  }
});
