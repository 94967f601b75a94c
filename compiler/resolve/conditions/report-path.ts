import { findLabel } from '../../../schema/config/declared-labels.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { describeTypes } from '../../../schema/json-schema/type-advice.ts';
import type { FactPath } from '../../../schema/plan/condition.ts';
import { nearParameter } from '../../schema-errors/near-parameter.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { reportLabelName } from './report-label.ts';
import { typesAt } from './types-at.ts';

type Context = Pick<CompileContext, 'reporter' | 'saved'>;

const hasBlank = (key: string): boolean => key !== key.trim();

/** An element of a list in the notation of other languages, at the end of a key. No request has such a key. */
const bracketed = /\[-?\d+\]$/;

/** Whether a key is not the index of an element, although it was probably meant as one. */
const isMiscounted = (key: string): boolean => /^(?:-\d+|0\d+)$/.test(key);

const toIndex = (key: string): string => String(Math.max(0, Number(key)));

/** Suggests another path if a path names a list element that no list has; undefined for other paths. */
const elementSuggestion = (path: FactPath): string | undefined => {
  const isBracketed = path.some((key) => bracketed.test(key));
  const keys = path
    .join('.')
    .replaceAll(/\.?\[(-?\d+)\]/g, '.$1')
    .split('.');
  const ofList = typesAt(['params', keys[1] ?? ''])?.includes('array') === true ? 2 : undefined;
  const isIndex = (key: string, at: number): boolean => isMiscounted(key) && (isBracketed || at === ofList);
  if (keys.some(isIndex))
    return `Elements are counted from 0: "${keys.map((key, at) => (isIndex(key, at) ? toIndex(key) : key)).join('.')}".`;
  return isBracketed ? `Did you mean "${keys.join('.')}"?` : undefined;
};

/** Suggests what to test if a path continues where requests have a list or a simple value; undefined for other paths. */
const memberSuggestion = ([root, name = '', first, ...rest]: FactPath): string | undefined => {
  const types = typesAt([root, name]);
  if (first === undefined || types === undefined || types.includes('object')) return undefined;
  if (!types.includes('array')) return `Test "params.${name}", which is ${describeTypes(types)}.`;
  if (/^\d+$/.test(first)) return undefined;
  const member = [first, ...rest].join('.');
  return /^(?:length|size|\$)/.test(first)
    ? `Put an operator such as "$size" or "$elemMatch" below "params.${name}".`
    : `Test the elements: "params.${name}": { "$elemMatch": { "${member}": … } }.`;
};

/** Suggests another path if a path names a parameter that no request has; undefined for other paths. */
const parameterSuggestion = (path: FactPath): string | undefined => {
  const [, name = '', ...rest] = path;
  const near = rest.length === 0 ? nearParameter(name) : undefined;
  if (near !== undefined) return `Did you mean "params.${near}"?`;
  return elementSuggestion(path) ?? memberSuggestion(path);
};

/** Reports a label if only a part of it is tested, or if the gateway file does not declare it. */
const reportLabel = (path: FactPath, pointer: JsonPointer, context: Context): void => {
  const { reporter, saved } = context;
  const [, name = '', ...rest] = path;
  const isPart = rest.length > 0 || (bracketed.test(name) && findLabel(saved.labels ?? {}, name) === undefined);
  if (!isPart) {
    reportLabelName(path, pointer, context);
    return;
  }
  const label = (rest.at(-1) ?? name).replace(/(?:\[-?\d+\])+$/, '');
  reporter.report('nested-label', { pointer, part: 'key' }, { path: path.join('.'), name: label });
};

/** Reports a path that was probably meant to be another one. It is still used as written. */
export const reportPath = (path: FactPath, pointer: JsonPointer, context: Context): void => {
  const { reporter } = context;
  const [root, ...keys] = path;
  const place = { pointer, part: 'key' } as const;
  if (path.some(hasBlank)) {
    const plain = JSON.stringify(path.map((key) => key.trim()).join('.'));
    reporter.report('stray-blank', place, { what: 'A name in this path', plain });
    return;
  }
  if (root === 'metadata') reportLabel(path, pointer, context);
  const suggestion = root === 'params' ? parameterSuggestion(path) : undefined;
  if (suggestion !== undefined) reporter.report('unknown-parameter', place, { parameter: keys.join('.'), suggestion });
};
