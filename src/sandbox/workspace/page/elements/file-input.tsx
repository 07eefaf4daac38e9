import type { Json } from '../../protocol/page-protocol.ts';
import { num, objects, str, strings } from '../json.ts';
import { Chips } from './chips.tsx';
import { type ElementProps, useElement } from './use-element.ts';

/** `file_input`: the chosen files by name, type and size; their bytes stay on this computer. */
export function FileInput(props: ElementProps) {
  const { element, attributes } = props;
  const { value, choose } = useElement(props);
  const files = objects(value);
  const most = num(element, 'max_files') ?? 10;
  const types = strings(element['filetypes']).map((type) => `.${type}`);
  const add = (chosen: FileList | null): void => {
    void choose([...files, ...[...(chosen ?? [])].map(describe)].slice(0, most));
  };
  return (
    <div class="multi">
      <Chips
        items={files.map((file) => ({ key: keyOf(file), label: str(file, 'name') ?? '' }))}
        remove={(key) => void choose(files.filter((file) => keyOf(file) !== key))}
      />
      <input
        {...attributes}
        type="file"
        multiple={most > 1}
        accept={types.join(',') || undefined}
        disabled={files.length >= most}
        onChange={(event) => {
          add(event.currentTarget.files);
          // So that the same file can be chosen again after it was taken away.
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}

function describe(file: File): Json {
  return {
    id: `F${file.lastModified}${file.size}`,
    name: file.name,
    title: file.name,
    mimetype: file.type,
    size: file.size,
  };
}

function keyOf(file: Json): string {
  return `${str(file, 'id') ?? ''}/${str(file, 'name') ?? ''}`;
}
