import { expect, it } from 'vitest';
import { AppError, toAppError } from '../../../src/core/cloud/errors.ts';
import { say } from '../../../src/core/text/text.ts';

it('an error of ours says its code and its words, or where they are', () => {
  const cause = new Error('on purpose');
  const plain = new AppError('storage', { userMessage: 'No record was kept.', cause });
  expect(plain).toMatchObject({ message: 'storage: No record was kept.', name: 'AppError', cause });
  expect(plain).toMatchObject({ retryable: false, changed: 'no', status: undefined });
  const rich = new AppError('timeout', { userMessage: say`no answer`, changed: 'maybe' });
  expect(rich.message).toBe('timeout: see userMessage');
  expect(rich).toMatchObject({ userMessage: say`no answer`, changed: 'maybe' });
});

it('any thrown thing is one of ours, or one inside with its cause', () => {
  const own = new AppError('invalid', { userMessage: 'No.' });
  expect(toAppError(own)).toBe(own);
  for (const thrown of [new TypeError('on purpose'), 'a text', undefined]) {
    expect(toAppError(thrown)).toMatchObject({
      ...{ code: 'internal', userMessage: 'Steward ran into an error of its own.' },
      ...{ cause: thrown, retryable: false },
    });
  }
});
