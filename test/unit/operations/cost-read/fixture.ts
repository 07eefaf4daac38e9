import type { CardFile, RawInput, RequesterCard } from '../../../../src/core/card/card.ts';
import type { CostRange } from '../../../../src/core/cloud/records.ts';
import type { CostBook, CostReader } from '../../../../src/core/ports/costs.ts';
import type { DirectoryEntry } from '../../../../src/core/ports/ports.ts';
import { costRead } from '../../../../src/operations/cost-read/cost-read.ts';
import { idOf } from '../../../support/cost-books.ts';
import { type FakePortsOptions, fakePorts } from '../../../support/operation-ports.ts';
import { executed } from '../../../support/run-operation.ts';

export function entry(
  name: string,
  tags: readonly string[],
  organization = 'acme',
): DirectoryEntry {
  return { id: idOf(name), name, organization, tags, source: 'configuration' };
}

export const ENTRIES = [entry('analytics', ['prod']), entry('scratch', ['dev'])];

export type Asked = { readonly organization: string; readonly range: CostRange };

/** A reader that answers with a book made for the range it is asked for. */
export function readerOf(book: (range: CostRange) => CostBook) {
  const asked: Asked[] = [];
  const costs: CostReader = {
    read: async (organization, range) => {
      asked.push({ organization, range });
      return book(range);
    },
  };
  return { costs, asked };
}

/** The card of a request answered from this book. */
export async function cardOf(
  raw: RawInput,
  book: (range: CostRange) => CostBook,
  options: FakePortsOptions = {},
): Promise<RequesterCard & { readonly file?: CardFile | undefined }> {
  const { costs } = readerOf(book);
  const { card } = await executed(
    costRead,
    raw,
    fakePorts({ entries: ENTRIES, costs, ...options }),
  );
  if (card.audience !== 'requester') throw new TypeError('It went to the channel.');
  return card;
}
