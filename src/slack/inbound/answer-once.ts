/** Bolt's acknowledgement of a form, of whatever it carries. */
export type Answer = (answer?: Record<string, unknown>) => Promise<void>;

/** A form is answered once: it closes, or it shows errors and stays. */
export type Once = {
  close(): Promise<void>;
  /** False while it shows errors. */
  isClosed(): boolean;
  /** True when the form was still open and now shows these errors. */
  withErrors(errors: Record<string, unknown> | undefined): boolean;
};

export function answerOnce(ack: Answer): Once {
  let open = true;
  let complains = false;
  return {
    isClosed: () => !complains,
    close: async () => {
      if (!open) return;
      open = false;
      await ack();
    },
    withErrors: (errors) => {
      if (!open) return false;
      open = false;
      complains = errors !== undefined;
      void ack(errors);
      return complains;
    },
  };
}
