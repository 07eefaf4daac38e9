import { parseArgs } from 'node:util';
import { startControlPlane } from './control-plane.ts';
import type { ControlPlane } from './plane.ts';
import { ACME, BEARER, DASHBOARDS, KEYS, SERVICES } from './seed.ts';
import { createSettableClock } from './settable-clock.ts';

const HELP = `Usage: npm run control-plane -- [--port 4010] [--names neutral|clickhouse]

A stand-in of the control API on 127.0.0.1, seeded with an organization and 60 days of costs.`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4010' },
    names: { type: 'string', default: 'neutral' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) console.log(HELP);
else await run();

async function run(): Promise<void> {
  const port = Number(values.port);
  if (!/^\d{1,5}$/u.test(values.port) || port > 65_535) {
    return fail(`--port takes 0 to 65535, not "${values.port}".`);
  }
  if (values.names !== 'neutral' && values.names !== 'clickhouse') {
    return fail(`--names takes neutral or clickhouse, not "${values.names}".`);
  }
  try {
    const plane = await startControlPlane({
      port,
      clock: createSettableClock({ ticking: true }),
      settings: { names: values.names },
    });
    console.log(welcome(plane));
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => void plane.close().then(() => process.exit(0)));
    }
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

function fail(words: string): void {
  console.error(words);
  process.exitCode = 1;
}

function welcome({ url, clock }: ControlPlane): string {
  const key = `${KEYS.admin.id}:${KEYS.admin.secret}`;
  const organization = `${url}/v1/organizations/${ACME.id}`;
  const to = clock.now().toFormat('yyyy-MM-dd');
  const from = clock.now().minus({ days: 6 }).toFormat('yyyy-MM-dd');
  const json = "-H 'content-type: application/json'";
  return `The stand-in of the control API listens on ${url}

  CONTROL_API_URL=${url}
  CONTROL_API_KEY_ID=${KEYS.admin.id}
  CONTROL_API_KEY_SECRET=${KEYS.admin.secret}
  ORGANIZATION_ID=${ACME.id}
  OBSERVABILITY_API_URL=${url}
  OBSERVABILITY_API_TOKEN=${BEARER.token}

Services
${Object.values(SERVICES)
  .map((service) => `  ${service.name.padEnd(12)}${service.id}  ${service.tag}`)
  .join('\n')}

Try
  curl -u ${key} -X PATCH ${json} -d '{"command":"stop"}' ${organization}/services/${SERVICES.scratch.id}/state
  curl -u ${key} '${organization}/usageCost?from_date=${from}&to_date=${to}'
  curl -H 'authorization: Bearer ${BEARER.token}' -X DELETE ${url}/api/v2/dashboards/${DASHBOARDS.unused}

Look and disturb
  curl ${url}/sandbox/state
  curl ${url}/sandbox/requests
  curl ${json} -d '{"match":{"path":"/usageCost"},"kind":"status","status":500,"times":2}' ${url}/sandbox/faults
  curl ${json} -d '{"match":{"method":"POST"},"kind":"cut-after","times":1}' ${url}/sandbox/faults
  curl -X DELETE ${url}/sandbox/faults
  curl ${json} -d '{"advance":"P1D"}' ${url}/sandbox/clock
  curl ${json} -d '{"lateHours":10}' ${url}/sandbox/costs
  curl ${json} -d '{"act":"stop","service":"scratch"}' ${url}/sandbox/console
  curl ${json} -d '{"rateLimit":{"limit":40}}' ${url}/sandbox/settings
  curl -X POST ${url}/sandbox/reset

Kinds of faults: status, html504, slow, cut, cut-after, malformed, empty, plain, oversized.`;
}
