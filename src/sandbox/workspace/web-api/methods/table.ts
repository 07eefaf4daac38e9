import type { MethodTable } from '../method.ts';
import { appMethods } from './app.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { fileMethods } from './files.ts';
import { historyMethods } from './history.ts';
import { reactionMethods } from './reactions.ts';
import { scheduledMethods } from './scheduled.ts';
import { userGroupMethods } from './usergroups.ts';
import { userMethods } from './users.ts';
import { viewMethods } from './views.ts';

/** Every method that is served; any other is `unknown_method`. */
export const methodTable: MethodTable = {
  ...appMethods,
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...historyMethods,
  ...reactionMethods,
  ...scheduledMethods,
  ...userGroupMethods,
  ...userMethods,
  ...viewMethods,
};
