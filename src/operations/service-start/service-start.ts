import { defineServiceCommand } from '../../core/service-command.ts';

/** `/db start analytics`. Spec: Endpoints 2. */
export const serviceStart = defineServiceCommand({
  command: 'start',
  confirm: 'none',
  past: 'started',
  present: 'starting',
  consequence: 'It costs compute from then on.',
  taken: ['starting', 'awaking', 'running', 'partially_running'],
  idle: 'An idle service counts as started; a query wakes it.',
});
