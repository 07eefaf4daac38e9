import type { Operation } from '../core/operation/operation.ts';
import { activityRead } from './activity-read/activity-read.ts';
import { approvalRead } from './approval-read/approval-read.ts';
import { costRead } from './cost-read/cost-read.ts';
import { dashboardDelete } from './dashboard-delete/dashboard-delete.ts';
import { digestMute } from './digest-mute/digest-mute.ts';
import { digestRead } from './digest-read/digest-read.ts';
import { digestSend } from './digest-send/digest-send.ts';
import { digestStart } from './digest-start/digest-start.ts';
import { digestStop } from './digest-stop/digest-stop.ts';
import { directoryRead } from './directory-read/directory-read.ts';
import { helpRead } from './help-read/help-read.ts';
import { invitationCreate } from './invitation-create/invitation-create.ts';
import { invitationRead } from './invitation-read/invitation-read.ts';
import { journalRead } from './journal-read/journal-read.ts';
import { menuRead } from './menu-read/menu-read.ts';
import { permissionRead } from './permission-read/permission-read.ts';
import { pipeCreate } from './pipe-create/pipe-create.ts';
import { queryEndpointRead } from './query-endpoint-read/query-endpoint-read.ts';
import { schedulePause, scheduleResume } from './schedule-pause/schedule-pause.ts';
import { scheduleRead } from './schedule-read/schedule-read.ts';
import { scheduleSnooze } from './schedule-snooze/schedule-snooze.ts';
import { serviceCreate } from './service-create/service-create.ts';
import { serviceSleep } from './service-sleep/service-sleep.ts';
import { serviceStart, serviceStop, serviceWake } from './service-state/service-state.ts';
import { statusRead } from './status-read/status-read.ts';

/** Every operation, in the order of menu and help. Adding one is its folder and its line here. */
export const operations: readonly Operation[] = [
  serviceStart,
  serviceStop,
  serviceWake,
  serviceSleep,
  scheduleRead,
  scheduleSnooze,
  schedulePause,
  scheduleResume,
  serviceCreate,
  pipeCreate,
  invitationCreate,
  invitationRead,
  queryEndpointRead,
  activityRead,
  costRead,
  digestStart,
  digestStop,
  digestSend,
  digestRead,
  digestMute,
  dashboardDelete,
  directoryRead,
  permissionRead,
  approvalRead,
  journalRead,
  statusRead,
  helpRead,
  menuRead,
];
