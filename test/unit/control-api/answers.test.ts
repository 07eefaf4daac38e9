import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import {
  apiSentence,
  secretValues,
  withoutSecrets,
} from '../../../src/control-api/answers/api-sentence.ts';
import { createCostList, readUsageCost } from '../../../src/control-api/answers/cost-records.ts';
import { explainStatus, inSeconds } from '../../../src/control-api/answers/explain-status.ts';
import {
  busyError,
  connectionError,
  malformedError,
  statusError,
} from '../../../src/control-api/answers/failure.ts';
import {
  pipeRequestBody,
  readCreatedService,
  readInvitation,
  readPipe,
  readQueryEndpoint,
  readService,
} from '../../../src/control-api/answers/records.ts';
import {
  fieldsOf,
  flag,
  isMarkup,
  isSuccess,
  nonEmpty,
  number,
  readRateHints,
  requestIdOf,
  text,
} from '../../../src/control-api/answers/reply.ts';
import {
  CLIENT_ROUTES,
  neutralSettingKey,
  wirePath,
  wireSettingKey,
} from '../../../src/control-api/routes.ts';

describe('the API’s own words', () => {
  const said = (body: unknown, secrets: readonly string[] = []) =>
    apiSentence(typeof body === 'string' ? body : JSON.stringify(body), secrets);

  it.each<[unknown, string | undefined]>([
    ['Quota used up.', 'Quota used up.'],
    [{ error: 'In one field.' }, 'In one field.'],
    [{ error: { message: 'Within.' } }, 'Within.'],
    [{ message: 'Beside.' }, 'Beside.'],
    [{ error: 'First.', message: 'Second.' }, 'First.'],
    [{ error: { message: 'First.' }, message: 'Second.' }, 'First.'],
    [{ error: {}, message: 'Second.' }, 'Second.'],
    [JSON.stringify('A text of JSON.'), 'A text of JSON.'],
    ['{ "broken', undefined],
    [' [1,', undefined],
    ['12', undefined],
    ['null', undefined],
    ['', undefined],
    [{ error: 7 }, '7'],
    [{ other: 'x' }, undefined],
    ['<html>Bad gateway</html>', undefined],
    ['see </b>', undefined],
    ['<!DOCTYPE', undefined],
    ['<?xml', undefined],
    ['a < b, 1 <2', 'a < b, 1 <2'],
    [{ error: 'BAD_REQUEST: no such region' }, 'no such region'],
    [{ error: 'AB: stays' }, 'AB: stays'],
    [{ error: 'see BAD_REQUEST: x' }, 'see BAD_REQUEST: x'],
    [{ error: 'BAD_REQUEST:' }, undefined],
    [{ error: ' a \n\n b\tc\u200b\u2028d ' }, 'a b c d'],
    [{ error: 'l'.repeat(300) }, 'l'.repeat(300)],
    [{ error: 'l'.repeat(301) }, `${'l'.repeat(299)}…`],
    [{ error: '😀'.repeat(300) }, '😀'.repeat(300)],
  ])('of %j are %j', (body, words) => {
    expect(said(body)).toBe(words);
  });

  it.each([
    ['as it is', 'not fake-pw here', 'not … here'],
    ['in capitals', 'not FAKE-PW here', 'not … here'],
    ['in a URL', 'not fake%2dpw here', 'not … here'],
    ['in a URL within one', 'not fake%252Dpw here', 'not … here'],
    ['in JSON', 'not fake\\u002dpw here', 'not … here'],
    ['in HTML', 'not fake&#45;pw, fake&#x2d;pw, fake&amp;#045;pw here', 'not …, …, … here'],
    ['twice', 'fake-pw fake-pw', '… …'],
  ])('hold no secret %s', (_name, error, shown) => {
    expect(said({ error }, ['fake-pw'])).toBe(shown);
  });

  it.each([
    ['a"b<c>d&e\'f', 'x a&quot;b&lt;c&gt;d&amp;e&apos;f y', 'x … y'],
    ['a"b<c>d&e\'f', 'x a&amp;quot;b&amp;lt;c&amp;gt;d&amp;amp;e&amp;apos;f y', 'x … y'],
    ['a b c d', 'x a+b%20c\\nd y', 'x … y'],
    ['a b c d', 'x a\tb&#43;c\\u0020d y', 'x … y'],
    [' padded ', 'x (padded) y', 'x (…) y'],
    ['a\\b\\c', 'x a\\\\b\\\\\\\\c y', 'x … y'],
    ['käse-fake', 'x k%C3%A4se-fake k\\u00e4se-fake k&#228;se-fake y', 'x … … … y'],
    ['p.ss(w)*d', 'x p.ss(w)*d pxss(w)*d y', 'x … pxss(w)*d y'],
    ['two\nlines', 'x two lines y', 'x … y'],
  ])('hold no %j however it is spelt', (secret, error, shown) => {
    expect(said({ error }, [secret])).toBe(shown);
  });

  it.each([
    ['fake-password', 'x ZmFrZS1wYXNzd29yZA== y'],
    ['fake-password', `x ${Buffer.from('u:fake-password').toString('base64')} y`],
    ['fake-password', `x ${Buffer.from('us:fake-password').toString('base64url')} y`],
    ['~~~???>>>fake', `x ${Buffer.from('~~~???>>>fake').toString('base64url')} y`],
  ])('hold no %s in base64: %s', (secret, error) => {
    expect(said({ error }, [secret])).toMatch(/^x \w{0,4}… y$/u);
  });

  it('are not told where a secret is too short to be cut out of them', () => {
    expect(said({ error: 'no abc here' }, ['abc'])).toBeUndefined();
    expect(said({ error: 'nothing here' }, ['abc'])).toBe('nothing here');
    expect(said({ error: 'no abcd here' }, ['abcd'])).toBe('no … here');
    expect(withoutSecrets('no  abc  here', [' abc '])).toBeUndefined();
    expect(said({ error: 'say ZmFrZQ' }, ['fake'])).toBe('say ZmFrZQ');
  });

  it('are told without the secrets of a request, the longest first', () => {
    const body = {
      name: 'orders',
      source: {
        kafka: {
          ...{ credentials: { username: 'ana', password: 'fake-pw-long' } },
          ...{ caCertificate: '  ', brokers: 'b:9092' },
        },
        lake: {
          url: 'https://u:p@x.example.com/a?sig=fake',
          queueUrl: 'https://x.example.com/a#part',
          other: 'https://u:p@y.example.com',
        },
        keys: [{ secretKey: 'one' }, { accessKeyId: 'two' }, { privateKey: 'ana' }],
        certificate: ['c1', 'c22'],
        ...{ encryptionKey: 5, connectionString: '', serviceAccountKey: 'sa' },
      },
    };
    expect(secretValues(body)).toEqual([
      ...['fake-pw-long', 'sig=fake', 'part', 'ana', 'one', 'two', 'c22', 'c1', 'sa', 'u', 'p'],
    ]);
    expect(secretValues('fake')).toEqual([]);
    expect(secretValues({ url: 'https://x.example.com/@a' })).toEqual(['x.example.com/']);
  });
});

describe('a status in words', () => {
  const { service, createInvitation } = CLIENT_ROUTES;
  const facts = {
    ...{ route: service, sentence: undefined, markup: false, retryInMs: undefined },
  };
  const explained = (status: number, more: Partial<typeof facts> | object = {}) => {
    const { code, ran, cause, way } = explainStatus(status, { ...facts, ...more });
    return [code, ran, cause, way];
  };
  const owner = 'Whoever runs Steward can put it right in the console.';
  const soon = 'Ask again in a minute.';
  const role =
    "the key may not do this: its role, early access to the feature or the key's IP list stands against it";

  it.each<[number, object, readonly string[]]>([
    [401, {}, ['unauthorized', 'no', 'the API does not accept the key', owner]],
    [403, {}, ['forbidden', 'no', role, owner]],
    [403, { sentence: 'No.' }, ['forbidden', 'no', `${role} (the API says “No.”)`, owner]],
    [404, {}, ['not-found', 'no', service.missing, 'Check the id.']],
    [
      410,
      { sentence: 'Gone.' },
      ['not-found', 'no', `${service.missing} (the API says “Gone.”)`, 'Check the id.'],
    ],
    [
      404,
      { markup: true, sentence: 'x' },
      [
        ...['not-found', 'no', 'there is no such address on the API'],
        'Whoever runs Steward can check the address and the names mode of the organization.',
      ],
    ],
    [408, {}, ['timeout', 'maybe', 'a gateway of the API got no answer in time', soon]],
    [504, {}, ['timeout', 'maybe', 'a gateway of the API got no answer in time', soon]],
    [
      409,
      {},
      [
        'conflict',
        'no',
        'it conflicts with what is going on there now',
        'Ask again in a few minutes.',
      ],
    ],
    [
      424,
      {},
      [
        ...['conflict', 'no', 'the service has to be running for this'],
        'Idle is not stopped: a query wakes an idle service, a start only a stopped one. Then ask again.',
      ],
    ],
    [
      429,
      { sentence: 'Slow down.' },
      [
        'rate-limited',
        'no',
        'the API takes no more requests with this key just now',
        'Ask again in 10 s.',
      ],
    ],
    [
      429,
      { retryInMs: 1_500 },
      [
        'rate-limited',
        'no',
        'the API takes no more requests with this key just now',
        'Ask again in 2 s.',
      ],
    ],
    [
      400,
      {},
      [
        'invalid',
        'no',
        'the API did not accept the request (status 400)',
        'Change it and ask again.',
      ],
    ],
    [
      422,
      { sentence: 'Bad.' },
      ['invalid', 'no', 'the API says “Bad.”', 'Change it and ask again.'],
    ],
    [500, { sentence: 'x' }, ['unavailable', 'maybe', 'the API failed with status 500', soon]],
    [
      499,
      {},
      [
        'invalid',
        'no',
        'the API did not accept the request (status 499)',
        'Change it and ask again.',
      ],
    ],
    [200, { sentence: 'Hm.' }, ['malformed', 'maybe', 'the API says “Hm.”', soon]],
    [299, { sentence: 'Hm.' }, ['malformed', 'maybe', 'the API says “Hm.”', soon]],
  ])('%s with %j', (status, more, words) => {
    expect(explained(status, more)).toEqual(words);
  });

  it.each([
    [200, 'maybe'],
    [199, 'maybe'],
    [300, 'maybe'],
    [302, 'maybe'],
    [307, 'no'],
    [308, 'no'],
  ])('%s without a result was carried out: %s', (status, ran) => {
    const sentence = status === 200 ? undefined : 'Hm.';
    expect(explained(status, { sentence })).toEqual([
      ...['malformed', ran, `the API answered with status ${status} and no result`],
      'Whoever runs Steward can check the address of the API.',
    ]);
  });

  it.each<[number, string | undefined, string | undefined]>([
    [400, 'Already a member.', 'already a member (the API says “Already a member.”)'],
    [409, 'He belongs here already.', 'already a member (the API says “He belongs here already.”)'],
    [400, 'Duplicate invitation', 'already invited (the API says “Duplicate invitation”)'],
    [400, 'It is pending.', 'already invited (the API says “It is pending.”)'],
    [409, 'exists', 'already invited or already a member (the API says “exists”)'],
    [409, undefined, 'already invited or already a member'],
    [400, undefined, undefined],
    [400, 'members only', undefined],
    [409, 'members only', undefined],
    [422, 'Already a member.', undefined],
  ])('an invitation with %s and %j: %j', (status, sentence, cause) => {
    const words = explainStatus(status, { ...facts, route: createInvitation, sentence });
    if (cause === undefined) expect(words.cause).not.toMatch(/^already/u);
    else expect(words).toMatchObject({ code: 'invalid', ran: 'no', cause });
    expect(explained(status, { sentence })[2]).not.toMatch(/^already/u);
  });

  it.each([
    [0, '1 s'],
    [1_000, '1 s'],
    [1_001, '2 s'],
  ])('%s ms are %s', (ms, words) => {
    expect(inSeconds(ms)).toBe(words);
  });
});

describe('a failure', () => {
  const { service, setServiceState, createService, deleteDashboard } = CLIENT_ROUTES;
  const context = (route = service) => ({ route, secrets: ['fake-pw'], deadlineMs: 30_000 });
  const reply = (status: number, json: unknown, headers = {}) => ({
    ...{ kind: 'reply' as const, status, headers, json, text: JSON.stringify(json) },
  });
  const now = DateTime.fromISO('2026-11-27T10:00:00Z');
  const looking = 'It was not sent again. Check in the console before trying again.';

  it.each([
    ['unsent', 'unavailable', 'no', 'the API could not be reached'],
    ['cut', 'unavailable', 'maybe', 'the connection broke before the answer'],
    ['timeout', 'timeout', 'maybe', 'no answer in 30 s'],
    ['oversized', 'malformed', 'maybe', 'the answer was larger than 8 MB'],
    ['cancelled', 'unavailable', 'maybe', 'the call was given up before the answer'],
  ] as const)('of the kind %s is told with its state', (end, code, ran, cause) => {
    const error = connectionError(context(createService), end, new Error('fake'));
    const [state, way] =
      ran === 'no'
        ? ['No service was created', 'Ask again in a minute.']
        : ['The service may have been created', looking];
    expect(error).toMatchObject({ code, changed: ran, userMessage: `${state}: ${cause}. ${way}` });
    expect(error.retryable).toBe(code !== 'malformed');
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('of a read changed nothing, and its way on is its own', () => {
    const message = (end: 'oversized' | 'cancelled') =>
      connectionError(context(CLIENT_ROUTES.usageCost), end, undefined).userMessage;
    expect(connectionError(context(), 'cut', undefined).changed).toBe('no');
    expect(message('oversized')).toBe(
      'The costs were not read: the answer was larger than 96 MB. Ask for less at once.',
    );
    expect(message('cancelled')).toMatch(/given up before the answer\. Ask again\.$/u);
  });

  it('has the status, the request’s id, and no secret', () => {
    const answer = reply(400, { requestId: 'r-1', error: 'not fake-pw' });
    const error = statusError(context(setServiceState), answer, now);
    expect(error).toMatchObject({ status: 400, requestId: 'r-1', changed: 'no' });
    expect(error.userMessage).toBe(
      'The state was not changed: the API says “not …”. Change it and ask again.',
    );
    expect(error.because).toEqual({
      cause: 'the API says “not …”',
      way: 'Change it and ask again.',
    });
    const lost = malformedError(context(setServiceState), reply(200, { requestId: 'r-2' }));
    expect(lost).toMatchObject({ code: 'malformed', requestId: 'r-2', status: 200 });
    expect(lost.userMessage).toBe(
      `The state may have changed: the API answered with something that Steward cannot read. ${looking}`,
    );
  });

  it('waits as long as the API says', () => {
    const answer = reply(429, {}, { 'retry-after': '7' });
    expect(statusError(context(), answer, now).because?.way).toBe('Ask again in 7 s.');
    expect(busyError(context()).userMessage).toBe(
      'The service was not read: the key of this organization has no request left in time. Ask again in 10 s.',
    );
    expect(busyError(context())).toMatchObject({ code: 'rate-limited', retryable: true });
  });

  it.each([
    ['Dashboard not found', 'not-found'],
    ['Unauthorized', 'unauthorized'],
    ['The key is missing.', 'unauthorized'],
    ['API key is invalid', 'unauthorized'],
    ['unfounded', 'invalid'],
  ])('of a dashboard goes by its message: %s', (message, code) => {
    expect(statusError(context(deleteDashboard), reply(400, { message }), now).code).toBe(code);
    expect(statusError(context(), reply(400, { message }), now).code).toBe('invalid');
  });
});

describe('what a reply says about itself', () => {
  const now = DateTime.fromISO('2026-11-27T10:00:00Z');
  const reply = (json: unknown, headers = {}, body = '') =>
    ({ status: 200, headers, json, text: body }) as never;

  it.each([
    [{ requestId: 'r-1' }, { 'x-request-id': 'h-1' }, 'r-1'],
    [{}, { 'x-request-id': 'h-1' }, 'h-1'],
    [[], { 'x-request-id': [' h-1 ', 'h-2'] }, 'h-1'],
    [{ requestId: 12 }, {}, '12'],
    [{ requestId: 'a b' }, { 'x-request-id': 'h-1' }, undefined],
    [{ requestId: 'x'.repeat(100) }, {}, 'x'.repeat(100)],
    [{ requestId: 'x'.repeat(101) }, {}, undefined],
    [{ requestId: 'r-1!' }, {}, undefined],
    [{ requestId: '' }, { 'x-request-id': ' ' }, undefined],
  ])('its id in %j and %j is %s', (json, headers, id) => {
    expect(requestIdOf(reply(json, headers))).toBe(id);
  });

  it.each([
    [' \n<html>', true],
    ['{"a":"<"}', false],
    ['', false],
  ])('%j is a page: %s', (body, page) => {
    expect(isMarkup(reply({}, {}, body))).toBe(page);
  });

  it.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ])('%s is a success: %s', (status, success) => {
    expect(isSuccess(status)).toBe(success);
  });

  it.each<[number, object, number | undefined, number | undefined]>([
    [200, {}, undefined, undefined],
    [200, { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '2' }, undefined, undefined],
    [200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2.0001' }, 2001, 2001],
    [200, { 'ratelimit-remaining': '0', 'ratelimit-reset': '2' }, 2000, 2000],
    [200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, undefined, undefined],
    [200, { 'retry-after': '5' }, undefined, undefined],
    [400, { 'retry-after': '5' }, 5000, undefined],
    [503, { 'retry-after': '0.0001' }, 1, undefined],
    [429, { 'x-ratelimit-reset': '2' }, 2000, 2000],
    [429, { 'x-ratelimit-reset': '2', 'retry-after': '5' }, 5000, 5000],
    [429, { 'x-ratelimit-reset': '7', 'retry-after': '5' }, 7000, 7000],
    [429, { 'x-ratelimit-reset': '1795773603.5' }, 3500, 3500],
    [429, { 'x-ratelimit-reset': '1000000000' }, 0, 0],
    [429, { 'x-ratelimit-reset': '999999999' }, 999_999_999_000, 999_999_999_000],
    [429, { 'retry-after': 'Fri, 27 Nov 2026 10:00:09 GMT' }, 9000, 9000],
    [429, { 'retry-after': 'Fri, 27 Nov 2026 09:00:00 GMT' }, 0, 0],
    [429, { 'retry-after': 'later' }, undefined, undefined],
    [429, { 'retry-after': '-5' }, undefined, undefined],
    [429, { 'retry-after': '5s' }, undefined, undefined],
    [429, { 'retry-after': ' 5 ' }, 5000, 5000],
    [429, {}, undefined, undefined],
  ])(
    'with status %s and %j it is sent again in %s, and the key rests for %s',
    (status, headers, retryInMs, holdMs) => {
      expect(readRateHints(status, headers as never, now)).toEqual({ retryInMs, holdMs });
    },
  );
});

describe('a value as the API spells it', () => {
  it.each<[unknown, string | undefined, number | undefined, boolean | undefined]>([
    ['', undefined, undefined, undefined],
    [null, undefined, undefined, undefined],
    ['a', 'a', undefined, undefined],
    [0, '0', 0, undefined],
    [' -1.5e3 ', ' -1.5e3 ', -1500, undefined],
    ['1E+2', '1E+2', 100, undefined],
    ['0x10', '0x10', undefined, undefined],
    ['1.', '1.', undefined, undefined],
    ['1a', '1a', undefined, undefined],
    ['a1', 'a1', undefined, undefined],
    [Number.NaN, 'NaN', undefined, undefined],
    ['9e999', '9e999', undefined, undefined],
    [true, undefined, undefined, true],
    [false, undefined, undefined, false],
    ['true', 'true', undefined, true],
    ['false', 'false', undefined, false],
    ['yes', 'yes', undefined, undefined],
    [['a'], undefined, undefined, undefined],
  ])('%j is the text %j, the number %j and the flag %j', (value, asText, asNumber, asFlag) => {
    expect([text(value), number(value), flag(value)]).toEqual([asText, asNumber, asFlag]);
  });

  it('an object is neither a list nor null, and says something', () => {
    expect([{ a: 1 }, [], null, 'a', undefined].map(fieldsOf)).toEqual([
      ...[{ a: 1 }, undefined, undefined, undefined, undefined],
    ]);
    expect([{ a: 1 }, {}, undefined].map(nonEmpty)).toEqual([{ a: 1 }, undefined, undefined]);
  });

  it.each([
    ['/v1/services/{serviceId}/pipes', 'clickhouse', '/v1/services/{serviceId}/clickpipes'],
    ['/v1/pipes/{pipeId}', 'clickhouse', '/v1/clickpipes/{pipeId}'],
    ['/v1/pipes/{pipeId}', 'neutral', '/v1/pipes/{pipeId}'],
    ['/v1/pipeschemas', 'clickhouse', '/v1/pipeschemas'],
  ] as const)('the path %s of %s is %s', (path, names, spelt) => {
    expect(wirePath(path, names)).toBe(spelt);
  });

  it('a setting is spelt by the cloud’s own names, and read in either', () => {
    expect(wireSettingKey('engine_max', 'clickhouse')).toBe('clickhouse_max');
    expect(wireSettingKey('engine_max', 'neutral')).toBe('engine_max');
    expect(wireSettingKey('my_engine_max', 'clickhouse')).toBe('my_engine_max');
    expect(neutralSettingKey('clickhouse_max')).toBe('engine_max');
    expect(neutralSettingKey('my_clickhouse_max')).toBe('my_clickhouse_max');
    const request = { name: 'p', settings: { engine_max: 1, other: 2 } };
    expect(pipeRequestBody(request as never, 'clickhouse')).toEqual({
      name: 'p',
      settings: { clickhouse_max: 1, other: 2 },
    });
    const plain = { name: 'p' } as never;
    expect(pipeRequestBody(plain, 'clickhouse')).toBe(plain);
  });
});

describe('costs as they come', () => {
  const whole = {
    ...{ date: '2026-11-26T00:00:00Z', entityId: 'e', entityName: 'n', entityType: 'service' },
    ...{ dataWarehouseId: 'w', serviceId: 's', locked: true, totalUnits: 2 },
    metrics: { computeUnits: 1, storageUnits: 1 },
  };
  const read = { ...whole, date: '2026-11-26' };

  it('are read as the specification has them', () => {
    expect(readUsageCost({ costs: [whole], grandTotalUnits: 2 })).toEqual({
      ...{ costs: [read], skipped: 0, grandTotalUnits: 2 },
    });
    expect(readUsageCost({ costs: whole })).toEqual({ costs: [read], skipped: 0 });
  });

  it('are read in the other spelling, and the specification’s wins', () => {
    const other = {
      ...{ date: '2026-11-26', entityId: 'e', totalCHC: '3', locked: 'false' },
      metrics: { computeCHC: '1', storageUnits: 5, storageCHC: 6, text: 'x', gpuUnits: 0.5 },
    };
    const found = readUsageCost({
      costs: [other, { ...other, metrics: { storageCHC: 6, storageUnits: 5 } }],
      grandTotalCHC: 3,
    });
    expect(found?.grandTotalUnits).toBe(3);
    expect(found?.costs[0]).toMatchObject({ totalUnits: 3, locked: false, entityName: undefined });
    expect(found?.costs.map(({ metrics }) => metrics)).toEqual([
      { computeUnits: 1, storageUnits: 5, gpuUnits: 0.5 },
      { storageUnits: 5 },
    ]);
    expect(
      readUsageCost({ costs: [{ ...whole, metrics: null, locked: null }] })?.costs[0],
    ).toMatchObject({
      ...{ metrics: {}, locked: false },
    });
    const odd = { ...whole, metrics: { computeUnits: Number.NaN, storageUnits: 1 } };
    expect(readUsageCost({ costs: [odd] })?.costs[0]?.metrics).toEqual({ storageUnits: 1 });
  });

  it.each(['date', 'entityId', 'totalUnits'])(
    'a record without %s is skipped and counted',
    (key) => {
      const less = { ...whole, [key]: '' };
      expect(readUsageCost({ costs: [less, whole, 'x'] })).toEqual({ costs: [read], skipped: 2 });
    },
  );

  it.each([
    ['never', undefined],
    ['2026-11-31', undefined],
    ['2026-11-26', '2026-11-26'],
  ])('the day %s, each time it comes, is %s', (date, day) => {
    const records = [whole, { ...whole, date }, { ...whole, date }];
    const days = readUsageCost({ costs: records })?.costs.map((record) => record.date);
    expect(days).toEqual(['2026-11-26', day, day].filter((each) => each !== undefined));
  });

  it.each<[unknown, boolean]>([
    [{ grandTotalUnits: 0 }, true],
    [{ costs: null, grandTotalUnits: 0 }, true],
    [{ costs: '', grandTotalUnits: 0 }, true],
    [{ costs: {}, grandTotalUnits: 0 }, true],
    [{ costs: [], grandTotalUnits: 5 }, true],
    [{ costs: [] }, true],
    [{ costs: {}, grandTotalUnits: 1 }, false],
    [{ costs: {} }, false],
    [{ costs: 'x', grandTotalUnits: 0 }, false],
    [{ costs: 0, grandTotalUnits: 0 }, false],
    [{}, false],
    ['x', false],
    [undefined, false],
  ])('%j says that nothing was spent: %s', (value, says) => {
    expect(readUsageCost(value)?.costs).toEqual(says ? [] : undefined);
  });

  it('of an attempt that was cut are forgotten', () => {
    const list = createCostList();
    expect(list.path).toEqual(['result', 'costs']);
    list.add(whole);
    list.add('x');
    expect([list.records, list.skipped]).toEqual([[read], 1]);
    list.restart();
    expect([list.records, list.skipped]).toEqual([[], 0]);
    list.add(whole);
    expect(readUsageCost({ costs: [], grandTotalUnits: 2 }, list)?.costs).toEqual([read]);
  });
});

describe('records as they come', () => {
  it('a service has its engine’s version in either spelling', () => {
    const service = { id: 's-1', name: 'scratch' };
    expect(readService({ ...service, clickhouseVersion: '25' })).toMatchObject({
      engineVersion: '25',
    });
    expect(readService({ ...service, engineVersion: '', clickhouseVersion: '25' })).toMatchObject({
      engineVersion: '25',
    });
    expect(readService({ ...service, engineVersion: '26', clickhouseVersion: '25' })).toMatchObject(
      {
        engineVersion: '26',
      },
    );
    expect(readService('x')).toBeUndefined();
    expect(readCreatedService({ service, password: '' })).toMatchObject({ password: undefined });
    expect(readCreatedService({ service, password: 'fake' })).toMatchObject({ password: 'fake' });
    expect([readCreatedService({}), readCreatedService(1)]).toEqual([undefined, undefined]);
  });

  it('an invitation has its roles by their names, or none', () => {
    const roles = (assignedRoles: unknown) =>
      readInvitation({ id: 'i-1', assignedRoles })?.assignedRoles;
    expect(roles([{ roleName: 'a', roleId: 'x' }, { roleId: 'b' }, 'c', {}, null])).toEqual([
      ...['a', 'b', 'c'],
    ]);
    expect([roles([]), roles([{}]), roles('x')]).toEqual([undefined, undefined, undefined]);
  });

  it('an endpoint has its origins as one text', () => {
    const origins = (allowedOrigins: unknown) =>
      readQueryEndpoint({ id: 'q-1', allowedOrigins })?.allowedOrigins;
    expect([origins('a,b'), origins(['a', 'b']), origins([]), origins({})]).toEqual([
      ...['a,b', 'a,b', undefined, undefined],
    ]);
  });

  it('a pipe is reduced to what is safe to show', () => {
    const pipe = (more: object) => readPipe({ id: 'p-1', name: 'orders', ...more });
    expect(readPipe('x')).toBeUndefined();
    expect(pipe({})).toEqual({ id: 'p-1', name: 'orders', facts: {} });
    expect(pipe({ source: { martian: { a: 'secret' }, kafka: null } })).toEqual({
      ...{ id: 'p-1', name: 'orders', sourceKind: 'martian', facts: {} },
    });
    const known = pipe({ source: { martian: {}, kafka: { brokers: 'b:1', topics: 'orders' } } });
    expect(known).toMatchObject({
      sourceKind: 'kafka',
      facts: { brokers: 'b:1', topics: 'orders' },
    });
    const settings = pipe({ settings: { clickhouse_max_insert_threads: 2, odd: 1 } });
    expect(Object.values(settings?.facts ?? {})).toEqual(['2']);
  });
});
