import { createRequire } from 'node:module';
import { gatewayError } from '../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../schema/errors/input-problem.ts';
import { invalidInput } from '../../../schema/errors/invalid-input.ts';
import { isNonEmpty, type Json } from '../../../schema/json/json.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import { readJsonBytes } from '../../json-bodies/read/read-json-bytes.ts';

const require = createRequire(import.meta.url);

/** The maximum number of values in a text that is checked, because a schema may find several errors in each. */
const maxValues = 100_000;

/**
 * Returns the members of a JSON text that would be lost when it is parsed: those that occur twice in one object, of which readers
 * take either, and `__proto__`, which some take for the prototype. Throws the `GatewayError` `malformed-body` for a text with
 * more than 100,000 values.
 */
const duplicateMembers = (text: string): readonly InputProblem[] => {
  const { visit }: typeof import('jsonc-parser') = require('jsonc-parser');
  const problems: InputProblem[] = [];
  const open: Set<string>[] = [];
  let values = 0;
  const count = (): void => {
    values += 1;
    if (values > maxValues) throw gatewayError('malformed-body', { reason: `it has more than ${maxValues} values.` });
  };
  visit(text, {
    onLiteralValue: count,
    onArrayBegin: count,
    onObjectBegin: () => {
      count();
      open.push(new Set());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (name, _offset, _length, _line, _character, path) => {
      const names = open.at(-1);
      if (name === '__proto__')
        problems.push({
          pointer: toPointer([...path(), name]),
          message: 'No member may be called "__proto__".',
          hint: 'Use another name.',
        });
      else if (names?.has(name))
        problems.push({
          pointer: toPointer([...path(), name]),
          message: `The member "${[...path(), name].join('.')}" occurs more than once.`,
          hint: 'Write it once.',
        });
      names?.add(name);
    },
  });
  return problems;
};

/**
 * Returns the value of a JSON body. Throws the `GatewayError` `malformed-body`, or `invalid-input` if members occur twice or are
 * called `__proto__`.
 */
export const readJson = (bytes: Buffer): Json => {
  const value = readJsonBytes(bytes);
  const problems = duplicateMembers(bytes.toString());
  if (isNonEmpty(problems)) throw invalidInput(problems);
  return value;
};
