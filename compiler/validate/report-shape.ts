import type { Json } from '../../schema/json.ts';
import { childPointer, type JsonPointer } from '../../schema/pointer.ts';
import type { ShapeError } from '../../schema/shape-error.ts';
import { closest, suggestion } from '../diagnostics/closest.ts';
import type { Place, Reporter } from '../diagnostics/reporter.ts';
import { withoutAlternatives } from './alternatives.ts';
import { referenceForms } from './is-reference.ts';
import { expectedWords, foundWords, placeWords, valueAt } from './words.ts';

export interface ShapeContext {
  /** The value that was judged. */
  readonly value: Json;
  /** Where in the document the judged value stands; absent where nothing of it stands there. */
  readonly base: JsonPointer;
  /** Says where a place of the value is shown, when that is somewhere else. */
  readonly placeOf?: (place: Place) => Place;
  readonly reporter: Reporter;
  /** The keys that an object may have, by the schema path of the rule against others. */
  readonly keysAt: (schemaPath: string) => readonly string[];
}

/** The place that has no meaning because of an error, and a key that was probably meant. */
export interface Unsound {
  readonly pointer: JsonPointer;
  readonly meant?: JsonPointer;
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];

const boundWords: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'more than',
  '<': 'less than',
};

/** `minItems: 1` is `at least 1 item`. */
const sizeWords = (keyword: string, limit: number): string => {
  const bound = keyword.startsWith('min') ? 'at least' : 'at most';
  return `${bound} ${limit} ${keyword.endsWith('Items') ? 'item' : 'character'}${limit === 1 ? '' : 's'}`;
};

const patternWords = (pattern: string): string =>
  pattern.startsWith('^\\$\\{') ? `a reference: ${referenceForms}` : `a text like /${pattern}/`;

const placeOf = ({ instancePath }: ShapeError, { base }: ShapeContext): JsonPointer =>
  // Two pointers in a row are one.
  `${base}${instancePath}` as JsonPointer;

/** Reports one error in users' words; gives what it makes unsound. */
const reportOne = (error: ShapeError, context: ShapeContext): Unsound => {
  const { reporter, value } = context;
  const pointer = placeOf(error, context);
  const { params } = error;
  const place = (at: JsonPointer, part: Place['part']): Place =>
    (context.placeOf ?? ((same) => same))({ pointer: at, part });
  const what = placeWords(pointer);
  const here = valueAt(value, error.instancePath);
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params.additionalProperty);
      const keys = context.keysAt(error.schemaPath);
      if (reporter.full) return { pointer: childPointer(pointer, key) };
      const near = closest(key, keys);
      reporter.report('unknown-key', place(childPointer(pointer, key), 'key'), {
        key,
        suggestion: suggestion(key, keys),
      });
      const unsound = { pointer: childPointer(pointer, key) };
      return near === undefined ? unsound : { ...unsound, meant: childPointer(pointer, near) };
    }
    case 'required': {
      const key = String(params.missingProperty);
      reporter.report('missing-key', place(pointer, 'key'), { what, key });
      return { pointer };
    }
    case 'type':
      reporter.report('wrong-type', place(pointer, 'value'), {
        what,
        expected: expectedWords(texts(params.type)),
        found: foundWords(here),
      });
      return { pointer };
    case 'enum':
    case 'const': {
      const allowed = texts(params.allowedValues ?? params.allowedValue);
      reporter.report('not-in-list', place(pointer, 'value'), {
        what,
        value: typeof here === 'string' ? `"${here}"` : foundWords(here),
        suggestion: suggestion(String(here), allowed),
      });
      return { pointer };
    }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      reporter.report('out-of-range', place(pointer, 'value'), {
        what,
        bound: `${boundWords[String(params.comparison)]} ${params.limit}`,
        value: Number(here),
      });
      return { pointer };
    case 'minItems':
    case 'maxItems':
    case 'minLength':
    case 'maxLength':
      reporter.report('wrong-size', place(pointer, 'value'), {
        what,
        bound: sizeWords(error.keyword, Number(params.limit)),
      });
      return { pointer };
    case 'pattern':
      reporter.report('wrong-form', place(pointer, 'value'), { what, form: patternWords(String(params.pattern)) });
      return { pointer };
    case 'format':
      reporter.report('wrong-form', place(pointer, 'value'), { what, form: `a valid ${params.format}` });
      return { pointer };
    default:
      reporter.report('wrong-form', place(pointer, 'value'), { what, form: 'of one of the allowed forms' });
      return { pointer };
  }
};

/** Reports what a generated or compiled validator found. No word of it is the validator's own. */
export const reportShape = (errors: readonly ShapeError[], context: ShapeContext): readonly Unsound[] => {
  const told = withoutAlternatives(errors);
  const misspelt = told.filter(({ keyword }) => keyword === 'additionalProperties');
  const listed = new Set(told.flatMap(({ keyword, instancePath }) => (keyword === 'enum' ? [instancePath] : [])));
  // What is not in a list may be of another type as well; the list says more.
  const isSaidByList = ({ keyword, instancePath }: ShapeError): boolean =>
    keyword === 'type' && listed.has(instancePath);
  const others = told.filter((error) => error.keyword !== 'additionalProperties' && !isSaidByList(error));
  const unsound = misspelt.map((error) => reportOne(error, context));
  const meant = new Set(unsound.map((place) => place.meant));
  // A key that is missing because it was misspelt is one mistake.
  const isToldAlready = (error: ShapeError): boolean =>
    error.keyword === 'required' &&
    meant.has(childPointer(placeOf(error, context), String(error.params.missingProperty)));
  const rest = others.map((error) =>
    isToldAlready(error) ? { pointer: placeOf(error, context) } : reportOne(error, context),
  );
  return [...unsound, ...rest];
};
