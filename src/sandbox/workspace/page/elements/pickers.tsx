import { str } from '../json.ts';
import { useWorkspace } from '../workspace.ts';
import { type ElementProps, focusAttribute, useElement } from './use-element.ts';
import { localText, secondsOfLocal } from './zoned-time.ts';

/** `datepicker`: a calendar day. */
export function DatePicker(props: ElementProps) {
  return <NativePicker {...props} type="date" />;
}

/** `timepicker`: a time of day. */
export function TimePicker(props: ElementProps) {
  const zone = str(props.element, 'timezone');
  return (
    <span class="picker">
      <NativePicker {...props} type="time" />
      {zone === null ? null : <small>{zone}</small>}
    </span>
  );
}

function NativePicker(props: ElementProps & { readonly type: 'date' | 'time' }) {
  const { value, choose } = useElement(props);
  return (
    <input
      {...props.attributes}
      {...focusAttribute(props.element)}
      type={props.type}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => void choose(event.currentTarget.value || null)}
    />
  );
}

/** `datetimepicker`: a moment, written in the persona's zone and sent as Unix seconds. */
export function DateTimePicker(props: ElementProps) {
  const { zone } = useWorkspace().state.me;
  const { value, choose } = useElement(props);
  return (
    <span class="picker">
      <input
        {...props.attributes}
        {...focusAttribute(props.element)}
        type="datetime-local"
        value={typeof value === 'number' ? localText(value, zone) : ''}
        onChange={(event) => void choose(secondsOfLocal(event.currentTarget.value, zone))}
      />
      <small>{zone}</small>
    </span>
  );
}
