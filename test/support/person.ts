import type {
  ElementSource,
  Json,
  PageAction,
  PageAnswer,
  PageMessage,
  PageState,
  PageView,
} from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { chosenState, optionsIn, typedState } from './choosing.ts';
import {
  type Labelled,
  type Look,
  labelled,
  pick,
  readEverything,
  readMessage,
  readView,
  wordOf,
} from './reading.ts';
import { trafficOf, waitFor } from './waiting.ts';

type Target = Labelled & {
  readonly source: ElementSource;
  readonly values: PageView['values'];
};

/** A `PageAction` without the one who does it. */
type Deed<A = PageAction> = A extends unknown ? Omit<A, 'as'> : never;

/** What all people of a test share; `patience` in ms. */
type Bench = { readonly workspace: Workspace; readonly patience: number };

/** `const as = peopleOf(workspace)`; then `as('ana').in('#ops').command('/db help')`. */
export function peopleOf(workspace: Workspace, patience = 10_000): (person: string) => Person {
  return (person) => new Person({ workspace, patience }, workspace.userId(person), null);
}

/**
 * Somebody at the page. Elements are found by label or text, as a person would: in the top modal,
 * else in the Home that was opened, else in the newest message that has it. Everything waits for its
 * effect and fails with the traffic log. What the client refuses is thrown with its sentence.
 */
export class Person {
  readonly id: string;
  private readonly bench: Bench;
  private readonly workspace: Workspace;
  private readonly channel: string | null;
  private atHome = false;

  constructor(bench: Bench, id: string, channel: string | null) {
    this.bench = bench;
    this.workspace = bench.workspace;
    this.id = id;
    this.channel = channel;
  }

  /** The same person in a channel (`#ops`), or in their direct messages with the bot (`dm`). */
  in(channel: string): Person {
    const id = channel === 'dm' ? this.dm() : this.workspace.channelId(channel);
    return new Person(this.bench, this.id, id);
  }

  get state(): PageState {
    return this.workspace.state(this.id);
  }

  async command(text: string): Promise<void> {
    await this.do({ kind: 'say', channel: this.place(), text });
  }

  async say(text: string): Promise<void> {
    await this.do({ kind: 'say', channel: this.place(), text });
  }

  /** A reply (or a command, which is refused) in the thread of the message that matches. */
  async reply(messageMatch: RegExp, text: string): Promise<void> {
    const root = await this.expectMessage(messageMatch);
    const threadTs = root.threadTs ?? root.ts;
    await this.do({ kind: 'say', channel: this.place(), text, threadTs });
  }

  /** Presses a button; `dismiss` presses Cancel in its confirmation dialog instead. */
  async click(label: string, options: { readonly dismiss?: boolean } = {}): Promise<void> {
    const target = await this.find(label, ['button', 'workflow_button', 'icon_button']);
    if (options.dismiss === true) {
      if (target.element['confirm'] === undefined) throw new Error(`${label} asks for nothing.`);
      return;
    }
    await this.do({ kind: 'act', ...placeOf(target) });
  }

  /** Chooses an option of a select, overflow menu or radio group; adds it in a multi-select. */
  async select(label: string, optionText: string): Promise<void> {
    const target = await this.find(label, null);
    const offered = await this.offered(target, optionText);
    const state = chosenState(target, optionText, { offered, page: this.state });
    await this.change(target, state);
  }

  /** Types into a text, number, e-mail, link, date or time field. */
  async fill(label: string, text: string): Promise<void> {
    const target = await this.find(label, null);
    await this.change(target, typedState(target.element, text));
  }

  /** Ticks or unticks a checkbox, or picks a radio button. */
  async check(label: string, optionText: string): Promise<void> {
    await this.select(label, optionText);
  }

  /** The texts that an external select offers for what was typed. */
  async suggest(label: string, typed: string): Promise<readonly string[]> {
    const target = await this.find(label, null);
    const answer = await this.do({ kind: 'suggest', ...placeOf(target), value: typed });
    return optionsIn(answer).map((option) => wordOf(option['text']));
  }

  /** What stands below each of those options. */
  async hints(label: string, typed: string): Promise<readonly string[]> {
    const target = await this.find(label, null);
    const answer = await this.do({ kind: 'suggest', ...placeOf(target), value: typed });
    return optionsIn(answer).map((option) => wordOf(option['description']));
  }

  /** Submits the top modal. Complaints beside fields are no failure: see `expectModalError`. */
  async submit(): Promise<void> {
    // A form may open before it is filled: nobody submits that.
    const view = await this.expectModal(/^(?![\s\S]*One moment)/u);
    const answer = await this.workspace.act({ as: this.id, kind: 'submit', view: view.id });
    const now = this.state.views.at(-1);
    const complained = now?.id === view.id && Object.keys(now.errors).length > 0;
    if (!answer.ok && !complained) this.fail(answer.error ?? 'The submission failed.');
  }

  async closeModal(options: { readonly all?: boolean } = {}): Promise<void> {
    const view = await this.expectModal(/(?:)/);
    await this.do({ kind: 'close', view: view.id, all: options.all ?? false });
  }

  async shortcut(name: string): Promise<void> {
    await this.do({ kind: 'shortcut', callbackId: this.callbackId(name, 'global') });
  }

  async messageShortcut(name: string, messageMatch: RegExp): Promise<void> {
    const { channel, ts } = await this.expectMessage(messageMatch);
    const callbackId = this.callbackId(name, 'message');
    await this.do({ kind: 'messageShortcut', callbackId, channel, ts });
  }

  async openHome(): Promise<void> {
    this.atHome = true;
    await this.do({ kind: 'openHome' });
  }

  /** A message that everybody in the channel sees; the newest that matches. */
  async expectMessage(match: RegExp, look?: Look): Promise<PageMessage> {
    return await this.wait(`No message like ${match} for ${this.id}.`, () =>
      this.newest((message) => !message.ephemeral && this.reads(message, match, look)),
    );
  }

  /** A message that only this person sees; the newest that matches. */
  async expectEphemeral(match: RegExp, look?: Look): Promise<PageMessage> {
    return await this.wait(`No ephemeral message like ${match} for ${this.id}.`, () =>
      this.newest((message) => message.ephemeral && this.reads(message, match, look)),
    );
  }

  /** Nothing like it is there, and nothing comes within `milliseconds`. */
  async expectNoMessage(match: RegExp, milliseconds = 100): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    const found = this.newest((message) => match.test(readEverything(message, this.names())));
    if (found !== undefined) this.fail(`Nobody should read: ${this.text(found)}`);
  }

  /** The top modal, once its title or words match. */
  async expectModal(match: RegExp): Promise<PageView> {
    return await this.wait(`No modal like ${match} for ${this.id}.`, () => {
      const view = this.state.views.at(-1);
      return view !== undefined && match.test(readView(view, this.names())) ? view : undefined;
    });
  }

  async expectNoModal(): Promise<void> {
    await this.wait('A modal is still open.', () =>
      this.state.views.length === 0 ? true : undefined,
    );
  }

  /** A complaint beside the field with this label. */
  async expectModalError(label: string, match: RegExp): Promise<void> {
    await this.wait(`No complaint like ${match} beside ${label}.`, () => {
      const view = this.state.views.at(-1);
      const field = pick(labelled(view?.blocks ?? []), label);
      const error = view?.errors[String(field?.block['block_id'])];
      return error !== undefined && match.test(error) ? true : undefined;
    });
  }

  /** A reply in the thread of the message that matches. */
  async expectThread(messageMatch: RegExp, match: RegExp): Promise<PageMessage> {
    const root = await this.expectMessage(messageMatch);
    return await this.wait(`No reply like ${match}.`, () =>
      this.newest((message) => message.threadTs === root.ts && this.reads(message, match)),
    );
  }

  /** The Home, once its words match. */
  async expectHome(match: RegExp): Promise<PageView> {
    return await this.wait(`No Home like ${match} for ${this.id}.`, () => {
      const { home } = this.state;
      return home !== null && match.test(readView(home, this.names())) ? home : undefined;
    });
  }

  reload(): void {
    this.workspace.reload(this.id);
  }

  /** What this person reads in a message. */
  text(message: PageMessage, look?: Look): string {
    return readMessage(message, this.names(), look);
  }

  private async change(target: Target, state: Json): Promise<void> {
    const place = placeOf(target);
    const silent = target.block['type'] === 'input' && target.block['dispatch_action'] !== true;
    await this.do({ kind: silent ? 'type' : 'act', ...place, state });
  }

  private async offered(target: Target, typed: string): Promise<readonly Json[] | null> {
    if (!String(target.element['type']).includes('external_select')) return null;
    const answer = await this.do({ kind: 'suggest', ...placeOf(target), value: typed });
    return optionsIn(answer);
  }

  private async do(deed: Deed): Promise<PageAnswer> {
    const answer = await this.workspace.act({ as: this.id, ...deed });
    if (!answer.ok) this.fail(answer.error ?? 'The workspace refused this.');
    return answer;
  }

  private async find(label: string, types: readonly string[] | null): Promise<Target> {
    return await this.wait(`Nothing is labelled "${label}" for ${this.id}.`, () => {
      for (const surface of this.surfaces()) {
        const fitting = labelled(surface.blocks).filter(
          ({ element }) => types === null || types.includes(String(element['type'])),
        );
        const found = pick(fitting, label);
        if (found !== undefined) return { ...found, ...surface };
      }
      return undefined;
    });
  }

  private surfaces(): readonly (Pick<Target, 'source' | 'values'> & {
    readonly blocks: readonly Json[];
  })[] {
    const { views, home, messages } = this.state;
    const shown = [views.at(-1), this.atHome ? home : null].flatMap((view) => view ?? []);
    return [
      ...shown.map(({ id, blocks, values }) => ({ source: { view: id }, blocks, values })),
      ...messages
        .filter((message) => this.isHere(message))
        .toReversed()
        .map(({ channel, ts, blocks, values = {} }) => ({
          source: { message: { channel, ts } },
          blocks,
          values,
        })),
    ];
  }

  private newest(test: (message: PageMessage) => boolean): PageMessage | undefined {
    return this.state.messages.filter((message) => this.isHere(message)).findLast(test);
  }

  private isHere(message: PageMessage): boolean {
    return this.channel === null || message.channel === this.channel;
  }

  private reads(message: PageMessage, match: RegExp, look?: Look): boolean {
    return match.test(this.text(message, look));
  }

  private names(): ReadonlyMap<string, string> {
    const { personas, channels } = this.state;
    return new Map([...personas, ...channels].map(({ id, name }) => [id, name]));
  }

  private callbackId(name: string, type: 'global' | 'message'): string {
    const found = this.state.shortcuts.find((one) => one.name === name && one.type === type);
    return found?.callbackId ?? this.fail(`There is no ${type} shortcut "${name}".`);
  }

  private place(): string {
    return this.channel ?? this.fail('Say where: as(…).in("#ops").');
  }

  private dm(): string {
    const dm = this.state.channels.find((channel) => channel.kind === 'dm');
    return dm?.id ?? this.fail(`${this.id} has no direct messages.`);
  }

  private wait<T>(wanted: string, read: () => T | undefined): Promise<T> {
    return waitFor(this.bench, wanted, read, () => this.page());
  }

  /** The page in words, for the message of a failed test. */
  private page(): string {
    const { views, messages } = this.state;
    const lines = messages
      .filter((message) => this.isHere(message))
      .map((message) => `${message.ephemeral ? '(only you) ' : ''}${this.text(message)}`);
    return [...lines, ...views.map((view) => `[${readView(view, this.names())}]`)].join('\n---\n');
  }

  private fail(sentence: string): never {
    throw new Error(`${sentence}\n\n${trafficOf(this.workspace)}`);
  }
}

function placeOf({ source, block, element }: Target): {
  readonly source: ElementSource;
  readonly blockId: string;
  readonly actionId: string;
} {
  const blockId = String(block['block_id']);
  return { source, blockId, actionId: String(element['action_id']) };
}
