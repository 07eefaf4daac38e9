import { z } from 'zod';

const isoDay = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-11-27');

/** Which records: of one day or all, of one entity or all. */
const target = z.strictObject({ date: isoDay.optional(), entityId: z.string().optional() });

/** How costs should look; every key is optional and keeps its value when left out. */
export const costPlan = z.strictObject({
  /** Returned as they are, in place of generated records of the same day and entity. */
  records: z.array(z.looseObject({ date: isoDay })).optional(),
  /** `object` returns the first record only. */
  shape: z.enum(['array', 'object', 'null', 'absent']).optional(),
  numbers: z.enum(['number', 'text']).optional(),
  /** Days from the start of a UTC day until its records are locked. */
  lockAfterDays: z.number().min(0).optional(),
  /** Records of a day appear only so many hours after its end. */
  lateHours: z.number().min(0).optional(),
  /** Makes only this entity late. */
  lateEntityId: z.string().optional(),
  lock: z.array(target).optional(),
  unlock: z.array(target).optional(),
  /** Changes what was reported, by a factor, an amount, or both; `metric` receives the amount. */
  restate: z
    .array(
      target.extend({
        factor: z.number().min(0).optional(),
        add: z.number().optional(),
        metric: z.string().optional(),
      }),
    )
    .optional(),
  /** Returned in place of the sum; null goes back to the sum. */
  grandTotal: z.unknown().optional(),
  /** Forgets every earlier plan first. */
  clear: z.boolean().optional(),
});

export type CostPlan = z.input<typeof costPlan>;
type Planned = z.output<typeof costPlan>;
type Target = z.output<typeof target>;

export type PlantedRecord = Readonly<Record<string, unknown>> & { readonly date: string };
export type Restatement = NonNullable<Planned['restate']>[number];

const UNPLANNED = {
  records: [],
  shape: 'array',
  numbers: 'number',
  lockAfterDays: 3,
  lateHours: 0,
  lateEntityId: undefined,
  locks: [],
  restatements: [],
  grandTotal: undefined,
} as const;

export type ScenarioState = {
  readonly records: readonly PlantedRecord[];
  readonly shape: 'array' | 'object' | 'null' | 'absent';
  readonly numbers: 'number' | 'text';
  readonly lockAfterDays: number;
  readonly lateHours: number;
  readonly lateEntityId: string | undefined;
  /** The latest one that fits a record counts. */
  readonly locks: readonly (Target & { readonly locked: boolean })[];
  readonly restatements: readonly Restatement[];
  readonly grandTotal: unknown;
};

/** What is laid over the generated costs. */
export class CostScenario {
  readonly costsFrom: string;
  #state: ScenarioState = UNPLANNED;

  constructor(costsFrom: string) {
    this.costsFrom = costsFrom;
  }

  get state(): ScenarioState {
    return this.#state;
  }

  /** Lays a plan over what holds; throws a ZodError for one that is not described properly. */
  plan(input: CostPlan): void {
    const plan = costPlan.parse(input);
    const before = plan.clear === true ? UNPLANNED : this.#state;
    this.#state = {
      records: [...before.records, ...(plan.records ?? [])],
      shape: plan.shape ?? before.shape,
      numbers: plan.numbers ?? before.numbers,
      lockAfterDays: plan.lockAfterDays ?? before.lockAfterDays,
      lateHours: plan.lateHours ?? before.lateHours,
      lateEntityId: plan.lateEntityId ?? before.lateEntityId,
      locks: [
        ...before.locks,
        ...(plan.unlock ?? []).map((entry) => ({ ...entry, locked: false })),
        ...(plan.lock ?? []).map((entry) => ({ ...entry, locked: true })),
      ],
      restatements: [...before.restatements, ...(plan.restate ?? [])],
      grandTotal: 'grandTotal' in plan ? (plan.grandTotal ?? undefined) : before.grandTotal,
    };
  }
}

export function concerns(target: Target, record: { date: string; entityId: string }): boolean {
  return (
    (target.date === undefined || target.date === record.date) &&
    (target.entityId === undefined || target.entityId === record.entityId)
  );
}
