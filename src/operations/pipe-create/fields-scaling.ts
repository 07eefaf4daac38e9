import { DECIMAL, fieldsFor, NUMBER, type PipeFields } from './pipe-field.ts';

const field = fieldsFor('kafka', 'kinesis', 'objectStorage');
const section = 'Scaling';

/** Spec: Pipe, `scaling`. */
export const scalingFields: PipeFields = {
  replicas: field('scaling.replicas', NUMBER, {
    label: 'Replicas of the pipe',
    hint: '1 to 40.',
    section,
  }),
  replicaCpuMillicores: field('scaling.replicaCpuMillicores', NUMBER, {
    label: 'CPU of a replica (millicores)',
    hint: '125 to 2,000.',
    section,
  }),
  replicaMemoryGb: field('scaling.replicaMemoryGb', DECIMAL, {
    label: 'Memory of a replica (GB)',
    hint: '0.5 to 8.',
    section,
  }),
  concurrency: field('scaling.concurrency', NUMBER, {
    label: 'Concurrency',
    badge: 'Deprecated',
    hint: 'Replicas take its place.',
    section,
  }),
};
