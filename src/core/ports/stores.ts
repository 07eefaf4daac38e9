/** What is kept of small things on the way; the tables behind it are in `storage`. Design: §10. */

/**
 * What an open form must know beyond Slack's 3,000 characters, and input too long for a button. Ids
 * are random and opaque; an id of somebody else behaves like one that does not exist.
 */
export type FormStore = {
  /** `owner`: `team:user`; nobody else can load it. Returns the id. */
  save(
    form: Readonly<{ owner: string /** Anything JSON can say. */; value: unknown; ttlMs: number }>,
  ): Promise<string>;
  /** Undefined when unknown, expired or not the owner's. */
  load(id: string, owner: string): Promise<unknown>;
  /** False where `load` would give nothing. Does not prolong it. */
  update(id: string, owner: string, value: unknown): Promise<boolean>;
};

/** Small things learnt on the way, such as that a workspace refuses native data blocks. */
export type SmallMemory = {
  /** Undefined when never set. */
  get(key: string): Promise<unknown>;
  /** All that were set under keys with this beginning. */
  list(prefix: string): Promise<ReadonlyMap<string, unknown>>;
  /** Anything JSON can say; the last writer wins. */
  set(key: string, value: unknown): Promise<void>;
};
