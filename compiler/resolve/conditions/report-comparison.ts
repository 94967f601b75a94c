import type { Json } from '../../../schema/json/json.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import { describeTypes } from '../../../schema/json-schema/type-advice.ts';
import type { FactPath } from '../../../schema/plan/condition.ts';
import { canMatch } from '../../../schema/text/can-match.ts';
import { compileRegex, regexProgram } from '../../../schema/text/regex.ts';
import { regexProblem } from '../../schema-errors/regex-problem.ts';
import type { RequestParameter } from '../../schema-errors/request-parameters.ts';
import type { Compared, QueryContext, Use } from './query-context.ts';
import { orders, reportLabelValues } from './report-label.ts';
import { reportPathname, reportPathPattern } from './report-pathname.ts';
import { typesAt } from './types-at.ts';

type Types = RequestParameter['types'];

const equalities: ReadonlySet<string> = new Set(['$eq', '$ne', '$in', '$nin']);

/** Returns the values that an operator compares with: its own, or those of its list. */
const listCompared = ({ op, value, pointer }: Use<FactPath>): readonly Compared[] => {
  if (!equalities.has(op)) return [];
  if (!Array.isArray(value)) return [{ value, pointer }];
  return value.map((item: Json, index) => ({ value: item, pointer: childPointer(pointer, index) }));
};

const isOfType = (value: Json, types: Types): boolean =>
  typeof value === 'number'
    ? types.some((type) => type === 'number' || (type === 'integer' && Number.isInteger(value)))
    : types.some((type) => type === typeof value);

const isFlag = (value: Json): boolean => value === 'true' || value === 'false';

const unequalHint = (value: Json, types: Types): string => {
  const isPlain = typeof value === 'string' && (isFlag(value) || Number.isFinite(Number(value)));
  if (isPlain) return 'Write the value without quotes.';
  if (typeof value !== 'string' && types.includes('string')) return 'Write the value in double quotes.';
  return types.includes('array')
    ? 'Compare an element of the list, by "$elemMatch" or "$all".'
    : `Write ${describeTypes(types)}.`;
};

/** Equality does not convert: a string never equals a parameter that is a number or a boolean. */
const reportUnequal = (path: FactPath, { value, pointer }: Compared, { reporter }: QueryContext): void => {
  // An unknown parameter may be a boolean, but is hardly a string that spells one.
  const types = typesAt(path) ?? (path[0] === 'params' && path.length === 2 && isFlag(value) ? ['boolean'] : undefined);
  if (types === undefined || value === null || isOfType(value, types)) return;
  reporter.report(
    'unequal-type',
    { pointer, part: 'value' },
    {
      path: path.join('.'),
      relation: `equals ${typeof value === 'string' ? 'this string' : JSON.stringify(value)}`,
      kind: describeTypes(types),
      suggestion: unequalHint(value, types),
    },
  );
};

/** Patterns apply to strings, and orders to anything that can be read as a number. */
const reportUnfit = ({ path, op, pointer }: Use<FactPath>, { reporter }: QueryContext): void => {
  const types = typesAt(path);
  if (types === undefined || types.includes('string')) return;
  const isNumber = types.includes('number') || types.includes('integer');
  const isOrder = orders.has(op);
  if (op !== '$regex' && (!isOrder || isNumber)) return;
  reporter.report(
    'unequal-type',
    { pointer, part: 'key' },
    {
      path: path.join('.'),
      relation: isOrder ? 'compares with a number' : 'matches a pattern',
      kind: describeTypes(types),
      suggestion: isNumber ? 'Use "$eq", "$in", "$gt" or "$lt" with numbers.' : 'Use "$eq" or "$exists".',
    },
  );
};

const nullWords = (isNegated: boolean, isLabel: boolean): { readonly effect: string; readonly suggestion: string } => ({
  effect: isLabel
    ? `${isNegated ? 'always' : 'never'} holds`
    : `holds ${isNegated ? 'for a missing one, too' : 'only where a request says null'}`,
  suggestion: `Write { "$exists": ${isNegated} } for a value that is ${isNegated ? 'there' : 'missing'}.`,
});

const reportNull = ({ path, op }: Use<FactPath>, { pointer }: Compared, { reporter }: QueryContext): void => {
  const isNegated = op === '$ne' || op === '$nin';
  const words = nullWords(isNegated, path[0] === 'metadata');
  reporter.report('null-comparison', { pointer, part: 'value' }, { path: path.join('.'), ...words });
};

const anyText: ReadonlySet<string> = new Set(['^', '$', '^.*', '.*$', '^.*$']);

/** A pattern may match anywhere. Without anchors, one that matches an empty string matches every string. */
const reportAnyText = ({ value, pointer }: Use<FactPath>, { reporter }: QueryContext): void => {
  const pattern = String(value);
  const isUnbound = !/[$^]|\\[bBAzZ]/.test(pattern) && regexProblem(pattern) === undefined;
  if (anyText.has(pattern) || (isUnbound && compileRegex(pattern)('')))
    reporter.report('matches-any-text', { pointer, part: 'value' }, {});
};

/** `^` and `$` stand for the ends of the text, so nothing precedes the one or follows the other. */
const reportNoText = ({ value, pointer }: Use<FactPath>, { reporter }: QueryContext): void => {
  const pattern = String(value);
  if (regexProblem(pattern) === undefined && !canMatch(regexProgram(pattern)))
    reporter.report('matches-no-text', { pointer, part: 'value' }, {});
};

/** Words with a star at one end or between them. */
const glob = /^[\w@/:.-]*\w[\w@/:.-]*\*$|^\*[\w@/:.-]+\*?$|^[\w@/:-]+\*[\w@/:-]+$/;

/** A pattern that no literal value resembles by chance. */
const anchored = /^\^.|.\$$|\.\*|^\/.+\/[dgimsuvy]*$/;

const toPattern = (text: string): string =>
  `^${text.replaceAll(/[.]/g, '\\.').replaceAll('*', '.*')}$`.replace(/^\^\.\*/, '').replace(/\.\*\$$/, '');

/** A star in a value is a literal star, and a star in a pattern repeats what precedes it. */
const reportGlob = ({ value, pointer }: Compared, isPattern: boolean, { reporter }: QueryContext): void => {
  if (typeof value !== 'string') return;
  const place = { pointer, part: 'value' } as const;
  if (glob.test(value))
    reporter.report('unread-glob', place, {
      why: isPattern ? '"*" repeats the character before it' : 'the value is compared as it is',
      suggestion: `Write "$regex": ${JSON.stringify(toPattern(value))}.`,
    });
  else if (!isPattern && anchored.test(value))
    reporter.report('unread-glob', place, {
      why: 'the value is compared as it is, and not as a pattern',
      suggestion: 'Write it after "$regex".',
    });
};

const reportRepeated = ({ op }: Use<FactPath>, listed: readonly Compared[], { reporter }: QueryContext): void => {
  const seen = new Set<Json>();
  for (const { value, pointer } of listed) {
    if (seen.has(value))
      reporter.report(
        'duplicate-item',
        { pointer, part: 'value' },
        { what: JSON.stringify(value), list: op, suggestion: 'Remove one of the two.' },
      );
    seen.add(value);
  }
};

/** Reports a comparison that matches no request, or every request, because of its value. */
export const reportComparison = (use: Use<FactPath>, context: QueryContext): void => {
  reportUnfit(use, context);
  if (use.op === '$regex') {
    reportAnyText(use, context);
    reportNoText(use, context);
    reportGlob(use, true, context);
    if (use.path[0] === 'url') reportPathPattern(String(use.value), use.pointer, context);
  }
  const listed = listCompared(use);
  reportRepeated(use, listed, context);
  reportLabelValues(use, listed, context);
  for (const compared of listed) {
    const { value, pointer } = compared;
    if (use.path[0] !== 'url') reportGlob(compared, false, context);
    if (value === null) reportNull(use, compared, context);
    reportUnequal(use.path, compared, context);
    if (typeof value !== 'string') continue;
    const plain = value.trim();
    if (plain !== value && plain !== '')
      context.reporter.report(
        'stray-blank',
        { pointer, part: 'value' },
        { what: 'This value', plain: JSON.stringify(plain) },
      );
    else if (use.path[0] === 'url') reportPathname(value, pointer, context);
  }
};
