import { defineServiceCommand } from '../../core/service-command.ts';

/** `/db stop analytics`. Spec: Endpoints 2. */
export const serviceStop = defineServiceCommand({
  command: 'stop',
  confirm: 'press',
  past: 'stopped',
  present: 'stopping',
  consequence: 'Queries fail until it is started again.',
  taken: ['stopping', 'stopped'],
});
