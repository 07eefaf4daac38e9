/** What the API reported of costs, as `Schema` has it. */

export type CostRecordRow = {
  readonly organization: string;
  readonly day: string;
  readonly entity_id: string;
  readonly entity_name: string | null;
  readonly entity_type: string | null;
  readonly data_warehouse_id: string | null;
  readonly service_id: string | null;
  readonly locked: number;
  readonly total_units: number;
  readonly metrics: string;
};

/** A day that was read; a day never read has no row. */
export type CostReadRow = {
  readonly organization: string;
  readonly day: string;
  readonly first_read_at: string;
  readonly last_read_at: string;
  readonly record_count: number;
  readonly all_locked: number;
};

export type CostRestatementRow = {
  readonly organization: string;
  readonly day: string;
  readonly entity_id: string;
  readonly at: string;
  /** Null: the entity was not reported before. */
  readonly old_units: number | null;
  /** Null: the entity is no longer reported. */
  readonly new_units: number | null;
};
