import { z } from 'zod';
import type { Card } from '../../core/card/card.ts';
import { serviceField } from '../../core/operation/fields.ts';
import { glimpse } from '../../core/operation/glimpse.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import { forEachCloud } from '../../core/operation/registry.ts';
import { isProblem, namesOf, resolveService, serviceTarget } from '../../core/operation/resolve.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import { approvedText, bold, code, say, type Text, user } from '../../core/text/text.ts';

const fields = {
  id: z
    .string()
    .trim()
    .regex(/^[\w-]{1,100}$/u, 'The id of a dashboard: letters, digits, - and _.')
    .meta({
      field: { label: 'Dashboard id', hint: 'As it stands in the address of the dashboard.' },
    }),
  confirmId: z
    .string()
    .trim()
    .meta({
      field: { label: 'Type the id again to confirm', hint: 'A deletion cannot be undone.' },
    }),
};

const input = confirmed(z.strictObject(fields));

/** A dashboard of ClickHouse Cloud itself belongs to a service. Spec: ClickHouse spellings. */
const cloudInput = confirmed(
  z.strictObject({
    ...fields,
    service: serviceField.optional().meta({
      field: {
        label: 'Service',
        widget: 'service',
        placeholder: 'Choose a service',
        hint: 'Of a dashboard in the cloud itself. None: one of the server of its own.',
      },
    }),
  }),
);

function confirmed<S extends z.ZodObject>(form: S): S {
  return form.refine(({ id, confirmId }) => id === confirmId, {
    path: ['confirmId'],
    error: 'The same id as above.',
  });
}

type Plan = {
  readonly id: string;
  /** Of a dashboard in the cloud itself. */
  readonly service?: DirectoryEntry | undefined;
  /** As the service's list has it; absent where nobody could see. */
  readonly title?: string | undefined;
};

/**
 * `/db dashboard delete <id>`, the one operation on the observability API. Its success proves
 * little: there are servers that report it for an unknown id. With a service it is one of ClickHouse
 * Cloud itself. Spec: Endpoints 9; ClickHouse spellings.
 */
export const dashboardDelete = forEachCloud((clouds) =>
  defineOperation({
    id: 'dashboard.delete',
    summary: 'Delete a dashboard',
    title: 'Delete a dashboard',
    risk: 'destroy',
    confirm: 'form',
    slash: {
      words: ['dashboard', 'delete'],
      positional: ['id'],
      examples: ['dashboard delete 6601aa00bb11cc22dd33ee03 --confirm-id 6601aa00bb11cc22dd33ee03'],
    },
    input: clouds === 'neutral' ? input : cloudInput,
    // It is typed in the form each time: not kept by "Try again", not pasted from the help.
    prefill: ({ confirmId: _, ...raw }) => ({ raw, issues: [] }),
    refused: ({ id }) => say`${dashboard(typeof id === 'string' ? id : '')} was not deleted`,
    plan: planDelete,
    targets: ({ id, service }) => [
      { kind: 'dashboard', id, name: id, tags: [] },
      ...(service === undefined ? [] : [serviceTarget(service)]),
    ],
    binds: ({ id, service }) => (service === undefined ? { id } : { id, serviceId: service.id }),
    preview: ({ id, service, title }) => ({
      question: say`Delete the ${titled(id, title)}?`,
      ask: say`delete the ${titled(id, title)}`,
      lines: [
        ...(service === undefined
          ? []
          : [say`A dashboard of ${bold(service.name)}, in the cloud.`]),
        say`It cannot be undone, and its alerts may go with it.`,
      ],
      button: 'Delete the dashboard',
      danger: true,
    }),
    running: ({ id, title }) => say`Deleting the ${titled(id, title)} …`,
    asked: ({ id, title }) => say`Asked to delete the ${titled(id, title)}.`,
    unknown: ({ id, title }) => ({
      state: say`The ${titled(id, title)} may have been deleted`,
      check: say`Open it to see whether it is still there.`,
    }),
    execute: ({ id, service }, ports) =>
      service === undefined
        ? ports.control.deleteDashboard(id)
        : ports.control.deleteCloudDashboard(service.organization, service.id, id),
    present: (_result, plan, context) => present(plan, context),
  }),
);

async function planDelete(
  typed: { readonly id: string; readonly service?: string | undefined },
  ports: ReadPorts,
  context: Context,
): Promise<Plan | Problem> {
  const { id, service: name } = typed;
  if (name === undefined) return { id };
  const service = await resolveService(name, { raw: typed, field: 'service' }, ports, context);
  if (isProblem(service)) return service;
  if (namesOf(service.organization, ports) === 'clickhouse') {
    return { id, service, title: await titleOf(id, service, ports, context) };
  }
  const problem = say`The cloud of ${bold(service.name)} has no dashboards of its own.`;
  return { field: 'service', problem };
}

/** It is told of what was deleted too, so that it is looked up whoever reads it. Spec: Sight. */
async function titleOf(
  id: string,
  { organization, id: serviceId }: DirectoryEntry,
  ports: ReadPorts,
  context: Context,
): Promise<string | undefined> {
  const listed = await glimpse(
    { organization, of: 'report', look: (sight, call) => sight.dashboards(serviceId, call) },
    ports,
    context,
  );
  return listed?.find((one) => one.id?.toLowerCase() === id.toLowerCase())?.name;
}

/** `dashboard **Latency** (`6602…`)` */
function titled(id: string, title: string | undefined): Text {
  return title === undefined
    ? say`dashboard ${code(id)}`
    : say`dashboard ${bold(title.slice(0, 100))} (${code(id)})`;
}

function dashboard(id: string): Text {
  return id === '' ? ['The dashboard'] : say`The dashboard ${code(id.slice(0, 100))}`;
}

function present({ id, service, title }: Plan, context: Context): Card {
  const who = user(context.actor.userId);
  const approved = approvedText(context.approvedBy);
  return {
    audience: 'channel',
    tone: 'good',
    // The cloud itself answers 404 for an id that it does not know; other servers do not.
    headline:
      service === undefined
        ? say`${who} deleted dashboard ${code(id)}${approved}, or it did not exist.`
        : say`${who} deleted ${titled(id, title)} of ${bold(service.name)}${approved}.`,
  };
}
