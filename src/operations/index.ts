import type { Operation } from '../core/operation.ts';
import { directoryRead } from './directory-read/directory-read.ts';
import { helpRead } from './help-read/help-read.ts';
import { menuRead } from './menu-read/menu-read.ts';
import { permissionRead } from './permission-read/permission-read.ts';
import { serviceStart } from './service-start/service-start.ts';
import { serviceStop } from './service-stop/service-stop.ts';

/** Every operation, in the order of menu and help. Adding one is its folder and its line here. */
export const operations: readonly Operation[] = [
  serviceStart,
  serviceStop,
  directoryRead,
  permissionRead,
  helpRead,
  menuRead,
];
