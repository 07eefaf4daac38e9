/** A process of its own that appends to the journal: `node --import tsx journal-appender.ts url n`. */
import { systemClock } from '../../src/app/clock.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { startInstance } from '../../src/storage/instances.ts';
import { journalOf } from './journal-of.ts';
import { silentLogger } from './silent-logger.ts';

const [url = '', count = '0'] = process.argv.slice(2);
const database = await openDatabase(url, { logger: silentLogger });
const instance = await startInstance(database, systemClock);
const journal = journalOf(database, systemClock, instance.id);
for (let n = 0; n < Number(count); n += 1) {
  const entry = await journal.open({
    operation: 'service.stop',
    actor: { userId: `U${process.pid}`, teamId: 'T0ACME' },
    input: { n },
    origin: 'slash',
  });
  await journal.close(entry, { outcome: 'done' });
}
await database.close();
