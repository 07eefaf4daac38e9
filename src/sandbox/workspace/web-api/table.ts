import { appMethods } from './app-methods.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { fileMethods } from './files.ts';
import { historyMethods } from './history.ts';
import type { MethodTable } from './method.ts';
import { reactionMethods } from './reactions.ts';
import { scheduledMethods } from './scheduled.ts';
import { userGroupMethods } from './usergroups.ts';
import { userMethods } from './users.ts';
import { viewMethods } from './view-methods.ts';

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
