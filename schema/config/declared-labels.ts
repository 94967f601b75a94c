import type { Json, JsonObject } from '../json/json.ts';
import { lookUp } from '../json/look-up.ts';
import { describeTypes } from '../json-schema/type-advice.ts';
import { formatList } from '../text/format-list.ts';
import { compileRegex } from '../text/regex.ts';

/** The declaration of a label: the values that it may have, and whether requests with another value are refused. */
export interface DeclaredLabel {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean';
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: boolean;
  readonly enforce?: boolean;
}

/** The labels that the gateway file declares, by name. */
export interface DeclaredLabels {
  readonly [name: string]: DeclaredLabel;
}

/** Finds the declaration of a label. Returns undefined for names such as `constructor`, which every object has. */
export const findLabel = (labels: DeclaredLabels, name: string): DeclaredLabel | undefined => lookUp(labels, name);

/** The labels that the gateway itself adds to requests. No gateway file has to declare them. */
export const ownLabels: readonly string[] = ['_user', '_organisation', '_prompt', '_mirror'];

/** Whether the gateway file declares a label, or the gateway itself adds it to requests. */
export const isKnownLabel = (labels: DeclaredLabels, name: string): boolean =>
  ownLabels.includes(name) || findLabel(labels, name) !== undefined;

/** The most values that a description lists. */
const maxShown = 10;

/** All values that a label may have, if they are listed. */
export const listedValues = ({ enum: values, const: only, type }: DeclaredLabel): readonly Json[] | undefined => {
  if (only !== undefined) return [only];
  return values ?? (type === 'boolean' ? [true, false] : undefined);
};

const isOfType = (value: Json, type: DeclaredLabel['type']): boolean =>
  type === undefined || (type === 'integer' ? Number.isInteger(value) : typeof value === type);

/** Creates the test of whether a label may have a value. As in JSON Schema, lengths apply to strings and bounds to numbers. */
export const labelMatcher = (label: DeclaredLabel): ((value: Json) => boolean) => {
  const { type, enum: values, const: only, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = label;
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = label;
  const matches = pattern === undefined ? undefined : compileRegex(pattern);
  const fitsText = (text: string): boolean => {
    const length = [...text].length;
    return length >= minLength && length <= maxLength && (matches?.(text) ?? true);
  };
  return (value) => {
    if (!isOfType(value, type) || (only !== undefined && value !== only)) return false;
    if (values !== undefined && !values.includes(value)) return false;
    if (typeof value === 'string') return fitsText(value);
    return typeof value !== 'number' || (value >= minimum && value <= maximum);
  };
};

const boundWords = (min: number | undefined, max: number | undefined): string | undefined => {
  if (min === undefined) return max === undefined ? undefined : `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
};

/** Describes the values that a label may have, for use in a sentence: `"free" or "gold"`, `a string of 1 to 64 characters`. */
export const describeLabel = (label: DeclaredLabel): string => {
  const { type, const: only, enum: values = only === undefined ? undefined : [only], pattern } = label;
  if (values !== undefined) {
    const shown = values.slice(0, maxShown).map((value) => JSON.stringify(value));
    return formatList(
      values.length > maxShown ? [...shown, `${values.length - maxShown} further values`] : shown,
      'or',
    );
  }
  const lengths = boundWords(label.minLength, label.maxLength);
  const numbers = boundWords(label.minimum, label.maximum);
  const isText = lengths !== undefined || pattern !== undefined;
  const kind = type ?? (isText ? 'string' : numbers === undefined ? undefined : 'number');
  return [
    kind === undefined ? 'a string, a number, true or false' : describeTypes([kind]),
    ...(lengths === undefined ? [] : [`of ${lengths} ${lengths.endsWith(' 1') ? 'character' : 'characters'}`]),
    ...(numbers === undefined ? [] : [`of ${numbers}`]),
    ...(pattern === undefined ? [] : [`that matches ${JSON.stringify(pattern)}`]),
  ].join(' ');
};

/** The labels that requests are checked against. */
export const enforcedLabels = (labels: DeclaredLabels): readonly (readonly [string, DeclaredLabel])[] =>
  Object.entries(labels).filter(([, { enforce }]) => enforce === true);

/**
 * Why a request is refused because of its labels, such as `its label "plan" has to be "free" or "gold".`; undefined if it is not.
 */
export type LabelRefusal = (metadata: JsonObject, about: { readonly callsModel: boolean }) => string | undefined;

/**
 * Creates the test of enforced labels. It refuses a request if a label has a value that it may not have, or if the request calls
 * a model and a required label is missing.
 */
export const labelRefusal = (declared: DeclaredLabels): LabelRefusal => {
  const enforced = enforcedLabels(declared).map(([name, label]) => ({
    name,
    required: label.required === true,
    isPermitted: labelMatcher(label),
    expected: describeLabel(label),
  }));
  return (metadata, { callsModel }) => {
    for (const { name, required, isPermitted, expected } of enforced) {
      const value = lookUp(metadata, name);
      if (value === undefined && required && callsModel)
        return `it lacks the label ${JSON.stringify(name)}, which has to be ${expected}.`;
      if (value !== undefined && !isPermitted(value)) return `its label ${JSON.stringify(name)} has to be ${expected}.`;
    }
    return undefined;
  };
};
