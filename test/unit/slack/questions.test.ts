import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CreateServiceRequest } from '../../../src/core/cloud/service.ts';
import type { Planned } from '../../../src/core/operation/operation.ts';
import type { Pending } from '../../../src/core/ports/pending.ts';
import { code, plain, say, type Text } from '../../../src/core/text/text.ts';
import { serviceCreate } from '../../../src/operations/service-create/service-create.ts';
import { validateMessage } from '../../../src/sandbox/workspace/validator/message.ts';
import { approvalCard, confirmCard } from '../../../src/slack/outbound/outcome-cards.ts';
import { splitLine } from '../../../src/slack/render/mrkdwn.ts';
import { renderCard } from '../../../src/slack/render/render.ts';
import { ANA, CONTEXT, fakePorts, NOW } from '../../support/operation-ports.ts';

const RUNS = { seed: 20_261_127, numRuns: 200 };
const PENDING: Pending = {
  id: 'pending-1',
  kind: 'approval',
  state: 'open',
  operation: 'service.create',
  input: {},
  actor: ANA,
  channelId: 'C0OPS',
  planHash: 'aa',
  approvers: ['leads'],
  createdAt: NOW,
  expiresAt: '2026-11-27T10:32:00.000Z',
  journal: 812,
};

type Preview = NonNullable<Planned['preview']>;

/** All that stands in the blocks of both questions, as a person reads it. */
function read(preview: Preview): readonly string[] {
  const of = { entry: { number: 1, reference: 'k3f9' }, requestId: undefined, durationMs: 1 };
  const cards = [
    approvalCard({ ...of, kind: 'approval', pending: PENDING, preview }),
    confirmCard({ ...of, kind: 'confirm', pending: PENDING, preview, changed: false }),
  ];
  return cards.map((card) => {
    const { main } = renderCard(card, 'native');
    expect(validateMessage(main, { strictText: true })).toMatchObject({ ok: true });
    return main.blocks
      .flatMap((block) => (block.type === 'section' ? [block.text?.text ?? ''] : []))
      .join('\n')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  });
}

async function planOf(raw: object): Promise<{ plan: Planned; sent: CreateServiceRequest[] }> {
  const sent: CreateServiceRequest[] = [];
  const ports = fakePorts({
    control: {
      createService: async (_organization, request) => {
        sent.push(request);
        return { result: { service: {} } };
      },
    },
  });
  const prepared = serviceCreate.prepare({ ...raw });
  if ('issues' in prepared) throw new TypeError(JSON.stringify([raw, prepared.issues]));
  const plan = await prepared.plan(ports, CONTEXT);
  if ('problem' in plan) throw new TypeError(plain(plan.problem));
  await plan.execute(ports, CONTEXT);
  return { plan, sent };
}

const octet = fc.integer({ min: 0, max: 255 });
const word = fc.stringMatching(/^[A-Za-z&<>][A-Za-z&<>']{0,8}$/u);
const entry = fc
  .tuple(
    fc.tuple(octet, octet, octet, octet),
    fc.integer({ min: 12, max: 32 }),
    fc.array(word, { maxLength: 9 }),
  )
  .map(([address, prefix, words]) => [`${address.join('.')}/${prefix}`, ...words].join(' '));
const entries = fc
  .uniqueArray(entry, { minLength: 1, maxLength: 40, selector: (text) => text.split('.')[0] })
  .filter((all) => all.join('\n').length < 3_000);
const sizes = fc.integer({ min: 2, max: 20 }).map(String);
const input = fc.record(
  {
    name: fc
      .stringMatching(/^[A-Za-z][A-Za-z0-9 ]{0,40}[a-z]$/u)
      .map((name) => name.replace(/ +/gu, ' ')),
    provider: fc.constant('aws'),
    region: fc.constant('us-east-1'),
    ipAccessList: fc.oneof(
      entries,
      entries.map((all) => all.join('; ')),
    ),
    numReplicas: sizes,
    maxReplicaMemoryGb: fc.constantFrom('8', '120', '356'),
    idleScaling: fc.constantFrom('true', 'false'),
    releaseChannel: fc.constantFrom('slow', 'default', 'fast'),
    privateEndpointIds: fc.array(fc.stringMatching(/^vpce-[a-z0-9]{1,12}$/u), {
      minLength: 1,
      maxLength: 30,
    }),
    dataWarehouseId: fc.uuid(),
  },
  { requiredKeys: ['name', 'provider', 'region', 'ipAccessList'], noNullPrototype: true },
);

const TOLD = ['numReplicas', 'maxReplicaMemoryGb', 'releaseChannel', 'dataWarehouseId'] as const;

function expectToldBy(shown: string, request: CreateServiceRequest): void {
  const { ipAccessList = [], privateEndpointIds = [] } = request;
  const entries = ipAccessList.map(({ source, description = '' }) => `${source} ${description}`);
  const values = TOLD.flatMap((key) => request[key] ?? []).map(String);
  for (const value of [...entries, ...values, ...privateEndpointIds]) {
    expect(shown).toContain(value.trim());
  }
  expect(shown.match(/\d+\.\d+\.\d+\.\d+/gu) ?? []).toHaveLength(ipAccessList.length);
}

describe('whoever confirms or approves', () => {
  it('reads every entry and value of the request, and no other entry', async () => {
    await fc.assert(
      fc.asyncProperty(input, async (raw) => {
        const { plan, sent } = await planOf(raw);
        const [request] = sent;
        if (plan.preview === undefined || request === undefined) throw new TypeError();
        const cards = read(plan.preview);
        for (const card of cards) expect(card).toContain(request.name);
        for (const text of [plan.preview.lines.map(plain).join('\n'), ...cards]) {
          expectToldBy(text.replaceAll('`', ''), request);
        }
      }),
      RUNS,
    );
  });

  it('reads forty entries with descriptions of a hundred characters to the last', async () => {
    const list = Array.from(
      { length: 25 },
      (_, index) => `10.0.${index}.0/24 ${'x'.repeat(90)}${index}end`,
    );
    const raw = { name: 'a', provider: 'aws', region: 'us-east-1', ipAccessList: list };
    const { plan, sent } = await planOf(raw);
    expect(sent[0]?.ipAccessList).toHaveLength(25);
    for (const text of read(plan.preview as Preview)) {
      for (const line of list) expect(text.replaceAll('`', '')).toContain(line);
    }
  });

  it('reads lines that are longer than a section, and more than other cards hold', () => {
    const long = Array.from({ length: 500 }, (_, index) => `word${index}`).join(' ');
    const lines = [...Array.from({ length: 60 }, (_, index) => say`${'y'.repeat(60)}${index}`)];
    const preview = { question: ['?'], ask: ['ask'], button: 'Go', danger: false };
    for (const text of read({ ...preview, lines: [say`Long: ${code(long)}`, ...lines] })) {
      const shown = text.replace(/[`\s]/gu, '');
      expect(shown).toContain(long.replaceAll(' ', ''));
      for (const line of lines) expect(shown).toContain(plain(line));
    }
  });

  it('is not asked at all where one message cannot hold it', async () => {
    const list = Array.from({ length: 9 }, (_, index) => `10.0.${index}.0/24 ${'&'.repeat(300)}`);
    const prepared = serviceCreate.prepare({
      name: 'a',
      provider: 'aws',
      region: 'us-east-1',
      ipAccessList: list.join('\n'),
    });
    if ('issues' in prepared) throw new TypeError(JSON.stringify(prepared.issues));
    const plan = await prepared.plan(fakePorts(), CONTEXT);
    expect('problem' in plan && plain(plan.problem)).toMatch(/^This is too long to be asked: /u);
  });
});

describe('a line that is too long for one section', () => {
  const piece = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '&', '<', ' ', '\u00fc', '\u{1f600}'), maxLength: 400 }),
    fc.string({ unit: fc.constantFrom('a', '&', '<'), maxLength: 400 }).map((text) => code(text)),
    fc.constant({ time: '2026-11-27T10:32:00.000Z' }),
    fc.constant({ user: 'U02BEN' }),
  );

  it('goes on in the next, and nothing is lost', () => {
    const bare = (text: string): string => text.replace(/[`\s]/gu, '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (line: Text) => {
        const parts = splitLine(line, 200);
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(200);
        expect(bare(parts.join(''))).toBe(bare(splitLine(line, 1_000_000).join('')));
        for (const part of parts) expect(part).toMatch(/^(?:[^&<]|&(?:amp|lt|gt);|<[^<>]*>)*$/u);
      }),
      RUNS,
    );
  });

  it('is one section where it fits', () => {
    expect(splitLine(say`${'a'.repeat(2_999)}b`, 3_000)).toHaveLength(1);
    expect(splitLine(say`${'a'.repeat(3_000)}b`, 3_000)).toHaveLength(2);
  });
});
