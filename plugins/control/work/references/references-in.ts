import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';

/** An id, and where a body names it. */
export interface Reference {
  readonly id: string;
  readonly pointer: JsonPointer;
}

/** Members whose texts are ids, or lists of such texts. */
const naming: ReadonlySet<string> = new Set([
  ...[
    'file_id',
    'file_ids',
    'input_file_id',
    'input_files',
    'batch_id',
    'previous_response_id',
    'input_dataset_id',
    'dataset_id',
  ],
  ...['training_file', 'training_files', 'validation_file', 'validation_files'],
]);

const isAddress = (text: string): boolean => /^\s*(?:gs|s3):\/\//i.test(text);

/** `{"type": "file_id", "id": "…"}` */
const isNaming = (name: string, { type }: JsonObject): boolean =>
  naming.has(name) || (name === 'id' && type === 'file_id');

interface Place {
  readonly value: Json;
  readonly pointer: JsonPointer;
  readonly isNamed: boolean;
}

/** The ids of files, batches and responses that a parsed body names, wherever in it. */
export function* referencesIn(body: Json): Generator<Reference, void> {
  const open: Place[] = [{ value: body, pointer: rootPointer, isNamed: false }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, pointer, isNamed } = place;
    if (typeof value === 'string') {
      if (isNamed || isAddress(value)) yield { id: value, pointer };
    } else if (isJsonObject(value)) {
      for (const name of Object.keys(value).toReversed())
        open.push({ value: value[name] ?? null, pointer: childPointer(pointer, name), isNamed: isNaming(name, value) });
    } else if (Array.isArray(value)) {
      for (let at = value.length - 1; at >= 0; at -= 1)
        open.push({ value: value[at], pointer: childPointer(pointer, at), isNamed });
    }
  }
}
