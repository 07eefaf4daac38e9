import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../support/waiting.ts';
import { type Bench, startBench, stopAfterEach } from './bench.ts';
import { buttons, modal, plainText, section, textInput } from './blocks.ts';

stopAfterEach();

type Answer = object | undefined;

/** A bot whose form opens on `/db`, and which answers its submission so. */
function answers(answer: () => Answer, view: () => ModalView = () => modal([textInput('name')])) {
  return (app: App): void => {
    app.command('/db', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: view() });
    });
    app.view('form', async ({ ack }) => {
      await ack(answer() as never);
    });
  };
}

async function filled(bench: Bench) {
  const ana = bench.as('ana').in('#ops');
  await ana.command('/db');
  await ana.fill('name', 'orders');
  return ana;
}

describe('an answer to a submission', () => {
  it('replaces the view with update and keeps it the same view', async () => {
    const next = modal([section('In progress')], { title: plainText('Working') });
    const bench = await startBench(
      'socket',
      answers(() => ({ response_action: 'update', view: next })),
    );
    const ana = await filled(bench);
    const before = await ana.expectModal(/A form/);
    await ana.submit();
    const after = await ana.expectModal(/In progress/);
    expect(after.id).toBe(before.id);
    expect(after.hash).not.toBe(before.hash);
    expect(ana.state.views).toHaveLength(1);
  });

  it('lays another view on top with push; closing it shows the first again', async () => {
    const next = modal([section('Details')], { callback_id: 'other' });
    const bench = await startBench(
      'socket',
      answers(() => ({ response_action: 'push', view: next })),
    );
    const ana = await filled(bench);
    await ana.submit();
    await ana.expectModal(/Details/);
    expect(ana.state.views).toHaveLength(2);
    await ana.closeModal();
    const view = await ana.expectModal(/A form/);
    expect(view.values['name']?.['value']?.['value']).toBe('orders');
  });

  it('closes all views with clear, and only the top one when empty', async () => {
    let answer: Answer;
    const bench = await startBench('socket', (app) => {
      answers(
        () => answer,
        () => modal([textInput('name'), buttons('more')]),
      )(app);
      app.action('more', async ({ ack, client, body }) => {
        await ack();
        const trigger_id = 'trigger_id' in body ? body.trigger_id : '';
        await client.views.push({ trigger_id, view: modal([textInput('name')]) });
      });
    });
    const ana = await filled(bench);
    for (const [given, left] of [
      [undefined, 1],
      [{ response_action: 'clear' }, 0],
    ] as const) {
      answer = given;
      await ana.click('more');
      await eventually(() => expect(ana.state.views).toHaveLength(2));
      await ana.fill('name', 'events');
      await ana.submit();
      expect(ana.state.views).toHaveLength(left);
    }
  });

  it.each<[string, Answer, RegExp]>([
    ['an invalid view', { response_action: 'update', view: { type: 'modal' } }, /failed to match/],
    ['no errors', { response_action: 'errors', errors: {} }, /without errors/],
    ['an unknown action', { response_action: 'dance' }, /unknown response_action dance/],
  ])(
    'that does not fit (%s) leaves the form open and is logged',
    async (_name, answer, problem) => {
      const bench = await startBench(
        'socket',
        answers(() => answer),
      );
      const ana = await filled(bench);
      await expect(ana.submit()).rejects.toThrow(problem);
      const problems = bench.workspace.traffic().filter((entry) => entry.problem !== null);
      expect(problems).toMatchObject([{ problem: expect.stringMatching(problem) }]);
      expect(ana.state.views[0]?.values['name']?.['value']?.['value']).toBe('orders');
    },
  );

  it('that never comes leaves the form open', async () => {
    const bench = await startBench('http', (app) => {
      answers(() => undefined)(app);
    });
    const ana = await filled(bench);
    bench.workspace.faults.holdAck();
    await expect(ana.submit()).rejects.toThrow(/operation_timeout/);
    expect(ana.state.views).toMatchObject([{ busy: false }]);
  });
});

it('a form that waits for its answer is busy and takes no second submission', async () => {
  let release = (): void => undefined;
  const bench = await startBench('socket', (app) => {
    answers(() => undefined)(app);
    app.view('slow', async ({ ack }) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      await ack();
    });
    app.shortcut('new_request', async ({ ack, client, body }) => {
      await ack();
      const view = modal([textInput('name', { optional: true })], { callback_id: 'slow' });
      await client.views.open({ trigger_id: body.trigger_id, view });
    });
  });
  const ana = bench.as('ana').in('#ops');
  await ana.shortcut('New request');
  await ana.expectModal(/A form/);
  const first = ana.submit();
  await eventually(() => expect(ana.state.views[0]?.busy).toBe(true));
  await expect(ana.submit()).rejects.toThrow(/still waits/);
  await eventually(() =>
    expect(bench.workspace.lastDelivery()?.payload['type']).toBe('view_submission'),
  );
  await new Promise((resolve) => setTimeout(resolve, 30));
  release();
  await first;
  await ana.expectNoModal();
});

it('a complaint goes as soon as its field is changed', async () => {
  const answer = { response_action: 'errors', errors: { name: 'Taken' } };
  const bench = await startBench(
    'socket',
    answers(() => answer),
  );
  const ana = await filled(bench);
  await ana.submit();
  await ana.expectModalError('name', /Taken/);
  await ana.fill('name', 'orders-2');
  expect(ana.state.views[0]?.errors).toEqual({});
});

it('closing all views tells about each that asked for it', async () => {
  const closed: string[] = [];
  const bench = await startBench('socket', (app) => {
    answers(
      () => undefined,
      () => modal([buttons('more')], { notify_on_close: true, private_metadata: 'first' }),
    )(app);
    app.action('more', async ({ ack, client, body }) => {
      await ack();
      const trigger_id = 'trigger_id' in body ? body.trigger_id : '';
      const view = modal([section('x')], { notify_on_close: true, private_metadata: 'second' });
      await client.views.push({ trigger_id, view });
    });
    app.view({ callback_id: 'form', type: 'view_closed' }, async ({ ack, view }) => {
      await ack();
      closed.push(view.private_metadata);
    });
  });
  const ana = bench.as('ana').in('#ops');
  await ana.command('/db');
  await ana.click('more');
  await eventually(() => expect(ana.state.views).toHaveLength(2));
  await ana.closeModal({ all: true });
  await eventually(() => expect(closed).toEqual(['second', 'first']));
  expect(ana.state.views).toEqual([]);
});
