/** The bare bot that Steward is compared with: Bolt over Socket Mode, and nothing else. */
import { App, LogLevel } from '@slack/bolt';

const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_API_URL } = process.env;
const app = new App({
  token: SLACK_BOT_TOKEN ?? '',
  appToken: SLACK_APP_TOKEN ?? '',
  socketMode: true,
  logLevel: LogLevel.ERROR,
  clientOptions: { slackApiUrl: SLACK_API_URL ?? '' },
});

app.command('/db', async ({ ack, respond, command }) => {
  await ack();
  await respond(`You typed: ${command.text}`);
});

process.once('SIGTERM', () => process.kill(process.pid, 'SIGKILL'));
await app.start();
process.stdout.write('{"event":"ready"}\n');
