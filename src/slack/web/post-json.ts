import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text as readText } from 'node:stream/consumers';

export type JsonAnswer = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
};

/** An idle connection that the other side may be closing is not used again. */
const KEPT = { keepAlive: true, maxFreeSockets: 16, timeout: 4_000 };
const PLAIN = { send: httpRequest, agent: new HttpAgent(KEPT) };
const SECURE = { send: httpsRequest, agent: new HttpsAgent(KEPT) };

/**
 * Posts JSON and reads the whole answer within so many ms. Node's own request: `fetch` takes several
 * times its work, and every answer to a person goes this way. Follows no redirect. Rejects with what
 * the socket said.
 */
export async function postJson(url: string, body: unknown, withinMs: number): Promise<JsonAnswer> {
  const data = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': data.byteLength };
  const { send, agent } = url.startsWith('https:') ? SECURE : PLAIN;
  return await new Promise((resolve, reject) => {
    const sent = send(url, { method: 'POST', agent, headers });
    const late = setTimeout(() => sent.destroy(new Error('No answer in time.')), withinMs);
    sent.on('error', reject);
    sent.on('response', (answer) => {
      answerOf(answer).then(resolve, reject);
    });
    sent.on('close', () => clearTimeout(late));
    sent.end(data);
  });
}

async function answerOf(answer: IncomingMessage): Promise<JsonAnswer> {
  const text = await readText(answer);
  return { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'], text };
}
