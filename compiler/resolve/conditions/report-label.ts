import {
  type DeclaredLabel,
  describeLabel,
  findLabel,
  isKnownLabel,
  labelMatcher,
  listedValues,
  ownLabels,
} from '../../../schema/config/declared-labels.ts';
import type { Json } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { Comparison, FactPath } from '../../../schema/plan/condition.ts';
import { conditionMatcher } from '../../../schema/plan/condition-matcher.ts';
import { closest, suggestion } from '../../diagnostics/closest.ts';
import type { Compared, QueryContext, Use } from './query-context.ts';

/** Reports a label that the gateway file does not declare, if it declares any. */
export const reportLabelName = (
  [root, name = '']: FactPath,
  pointer: JsonPointer,
  { reporter, saved: { labels } }: Pick<QueryContext, 'reporter' | 'saved'>,
): void => {
  if (root !== 'metadata' || labels === undefined || isKnownLabel(labels, name)) return;
  const declared = Object.keys(labels);
  const near = closest(name, [...declared, ...ownLabels]);
  const hint = near === undefined ? suggestion(name, declared, 'Declared are') : `Did you mean "${near}"?`;
  reporter.report('undeclared-label', { pointer, part: 'key' }, { name, suggestion: hint });
};

const report = (
  { name, label, other, near }: { name: string; label: DeclaredLabel; other: string; near?: string | undefined },
  pointer: JsonPointer,
  { reporter }: QueryContext,
): void => {
  const expected = describeLabel(label);
  reporter.report(
    'undeclared-value',
    { pointer, part: 'value' },
    { name, expected, other, suggestion: near === undefined ? `Write ${expected}.` : `Did you mean "${near}"?` },
  );
};

const findNear = (value: Json, label: DeclaredLabel): string | undefined => {
  const texts = (listedValues(label) ?? []).filter((each) => typeof each === 'string');
  return typeof value === 'string' ? closest(value, texts) : undefined;
};

/** Whether a test other than one for equality matches a value of a list. */
const holdsFor = ({ path, op, value }: Use<FactPath>, values: readonly Json[]): boolean => {
  const matches = conditionMatcher({ kind: 'test', path, op: op as Comparison, value });
  return values.some((each) => matches({ metadata: { [path[1] ?? '']: each }, params: {}, url: { pathname: '' } }));
};

/** The operators that compare by order. */
export const orders: ReadonlySet<string> = new Set(['$gt', '$gte', '$lt', '$lte']);

/** Reports comparisons of a label with values that its declaration does not allow. */
export const reportLabelValues = (use: Use<FactPath>, compared: readonly Compared[], context: QueryContext): void => {
  const { labels } = context.saved;
  const [root, name = '', ...rest] = use.path;
  const label = root === 'metadata' && labels !== undefined && rest.length === 0 ? findLabel(labels, name) : undefined;
  if (label === undefined) return;
  const isPermitted = labelMatcher(label);
  // Null is a mistake of its own.
  for (const { value, pointer } of compared)
    if (value !== null && !isPermitted(value))
      report({ name, label, other: `not ${JSON.stringify(value)}`, near: findNear(value, label) }, pointer, context);
  const listed = listedValues(label);
  const isTest = orders.has(use.op) || use.op === '$regex';
  if (isTest && listed !== undefined && !holdsFor(use, listed))
    report({ name, label, other: 'nothing that this test matches' }, use.pointer, context);
};
