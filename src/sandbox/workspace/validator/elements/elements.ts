import { colorScheme, confirm, imageElement, plain, textTable, workflow } from '../composition.ts';
import {
  identifier,
  list,
  may,
  must,
  object,
  oneOf,
  type Shape,
  type ShapeTable,
  someString,
  string,
  typed,
  url,
} from '../shape.ts';
import { choiceElements } from './elements-choice.ts';
import { typedElements } from './elements-typed.ts';

/** Elements that are pressed, and which element may stand where. Facts: Blocks. */

const label = may(string(1, 75));

const feedbackButton: Shape = object({
  text: must(plain(75)),
  value: must(string(1, 2000)),
  accessibility_label: label,
});

const pressedElements: ShapeTable = {
  button: typed('button', {
    text: must(plain(75)),
    action_id: may(identifier),
    value: may(string(0, 2000)),
    url: may(url(3000)),
    style: may(colorScheme),
    confirm: may(confirm),
    accessibility_label: label,
  }),
  workflow_button: typed('workflow_button', {
    text: must(plain(75)),
    workflow: must(workflow),
    action_id: may(identifier),
    style: may(colorScheme),
    accessibility_label: label,
  }),
  icon_button: typed('icon_button', {
    icon: must(someString),
    text: must(plain(75)),
    action_id: may(identifier),
    value: may(string(0, 2000)),
    confirm: may(confirm),
    accessibility_label: label,
    visible_to_user_ids: may(list(identifier, 1, Number.POSITIVE_INFINITY)),
  }),
  feedback_buttons: typed('feedback_buttons', {
    action_id: may(identifier),
    positive_button: must(feedbackButton),
    negative_button: must(feedbackButton),
  }),
};

/** All elements; the lists below say which of them may stand where. */
const elements: ShapeTable = {
  ...pressedElements,
  ...choiceElements,
  ...typedElements,
  image: imageElement,
};

const selects = [
  'static_select',
  'external_select',
  'users_select',
  'conversations_select',
  'channels_select',
  'multi_static_select',
  'multi_external_select',
  'multi_users_select',
  'multi_conversations_select',
  'multi_channels_select',
] as const;

const choices = [...selects, 'checkboxes', 'radio_buttons', 'datepicker', 'timepicker'] as const;

export const accessory: Shape = oneOf(elements, [
  ...choices,
  'button',
  'workflow_button',
  'overflow',
  'image',
]);

export const actionsElement: Shape = oneOf(elements, [
  ...choices,
  'button',
  'workflow_button',
  'overflow',
  'datetimepicker',
  'rich_text_input',
]);

export const inputElement: Shape = oneOf(elements, [
  ...choices,
  'datetimepicker',
  'plain_text_input',
  'number_input',
  'email_text_input',
  'url_text_input',
  'rich_text_input',
  'file_input',
]);

export const contextActionsElement: Shape = oneOf(elements, ['feedback_buttons', 'icon_button']);

export const cardButton: Shape = oneOf(elements, ['button']);

export const contextElement: Shape = oneOf({ image: imageElement, ...textTable(3000) });
