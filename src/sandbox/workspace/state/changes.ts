/** Counts the changes of the workspace and tells whoever waits for one. */
export class Changes {
  private count = 0;
  private readonly listeners = new Set<(version: number) => void>();

  get version(): number {
    return this.count;
  }

  bump(): void {
    this.count += 1;
    for (const listener of [...this.listeners]) listener(this.count);
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: (version: number) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }
}
