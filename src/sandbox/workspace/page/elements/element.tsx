import type { ComponentType } from 'preact';
import { str } from '../json.ts';
import { Button, FeedbackButtons } from './button.tsx';
import { Checkboxes, RadioButtons } from './choices.tsx';
import { ExternalSelect } from './external-select.tsx';
import { FileInput } from './file-input.tsx';
import { Overflow } from './overflow.tsx';
import { DatePicker, DateTimePicker, TimePicker } from './pickers.tsx';
import { MultiSelect, SingleSelect } from './selects.tsx';
import { LineInput, PlainTextInput, RichTextInput } from './text-inputs.tsx';
import type { ElementProps } from './use-element.ts';

const ELEMENTS: Readonly<Record<string, ComponentType<ElementProps>>> = {
  button: Button,
  workflow_button: Button,
  icon_button: Button,
  feedback_buttons: FeedbackButtons,
  overflow: Overflow,
  static_select: SingleSelect,
  users_select: SingleSelect,
  conversations_select: SingleSelect,
  channels_select: SingleSelect,
  multi_static_select: MultiSelect,
  multi_users_select: MultiSelect,
  multi_conversations_select: MultiSelect,
  multi_channels_select: MultiSelect,
  external_select: ExternalSelect,
  multi_external_select: ExternalSelect,
  checkboxes: Checkboxes,
  radio_buttons: RadioButtons,
  datepicker: DatePicker,
  timepicker: TimePicker,
  datetimepicker: DateTimePicker,
  plain_text_input: PlainTextInput,
  email_text_input: LineInput,
  url_text_input: LineInput,
  number_input: LineInput,
  rich_text_input: RichTextInput,
  file_input: FileInput,
};

/** Any interactive element; one that the page does not know says so. */
export function Element(props: ElementProps) {
  const type = str(props.element, 'type') ?? 'without a type';
  const Known = ELEMENTS[type];
  if (!Known) return <p class="warning">This page cannot draw the element “{type}”.</p>;
  return <Known {...props} />;
}
