import { formatList } from '../text/format-list.ts';
import type { ShapeError } from './shape-error.ts';

/** Returns the members that a `required` error reports as missing: a list for each way to satisfy it. */
export const missingNames = ({ params }: ShapeError): readonly (readonly string[])[] =>
  Array.isArray(params.missingProperties)
    ? params.missingProperties.map((names: unknown) => [names].flat().map(String))
    : [[String(params.missingProperty)]];

/** `"a" or "b"`, or `"a" and "b" or "c"` if a way needs several. */
export const namesInWords = (ways: readonly (readonly string[])[]): string =>
  formatList(
    ways.map((names) => names.map((name) => `"${name}"`).join(' and ')),
    'or',
  );
