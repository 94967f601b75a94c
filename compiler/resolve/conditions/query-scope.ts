import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { describeTypes } from '../../../schema/json-schema/type-advice.ts';
import type { ElementPath, FactPath } from '../../../schema/plan/condition.ts';
import { closest, suggestion } from '../../diagnostics/closest.ts';
import type { QueryContext, Use } from './query-context.ts';
import { typesAt } from './types-at.ts';

/** The meaning of a query's keys: facts of a request, or members of a list element. */
export interface QueryScope<Path extends ElementPath> {
  readPath(text: string): Path | undefined;
  suggestPath(text: string): string;
  /** Reports a path that was probably meant to be another one. */
  reviewPath(path: Path, pointer: JsonPointer): void;
  /** Reports an operator that is not allowed here, or that has no effect. Returns false if that is an error. */
  admits(use: Use<Path>): boolean;
}

/** Returns the path of a fact that conditions can test; undefined for any other text. */
const factPath = (text: string): FactPath | undefined => {
  if (text === 'url.pathname') return ['url', 'pathname'];
  if (text === 'plan.model') return ['plan', 'model'];
  const [root, ...rest] = text.split('.');
  const known = root === 'metadata' || root === 'params';
  return known && rest.length > 0 && rest.every((key) => key !== '') ? [root, ...rest] : undefined;
};

/** Returns a path without its empty keys, such as between two adjacent dots. */
const withoutEmptyKeys = (text: string): string =>
  text
    .split('.')
    .filter((key) => key !== '')
    .join('.');

/** Suggests the fact that a condition was meant to test instead of `text`. */
const factSuggestion = (written: string): string => {
  const text = withoutEmptyKeys(written);
  if (text === '') return 'Name a fact: "metadata.KEY", "params.KEY" or "url.pathname".';
  if (/^\$not$/i.test(text)) return 'Write "$not" below a path: { "metadata.tier": { "$not": { … } } }.';
  if (/^\$nor$/i.test(text)) return 'Use "$ne" or "$nin" on the value.';
  if (text.startsWith('$')) return suggestion(text, ['$and', '$or']);
  if (/^(?:url|path|pathname|request\.path|request\.url)\b/i.test(text))
    return 'Only "url.pathname" of the URL can be tested.';
  if (/^plan\b/i.test(text))
    return 'Only "plan.model" of the plan can be tested: the name of the config that a virtual model refers to.';
  if (/^(?:request\.)?headers?\b/i.test(text))
    return 'Conditions test "metadata.…", "params.…" and "url.pathname"; send the value in x-gw-metadata instead of a header.';
  if (text === 'metadata' || text === 'params') return `Name a key of it: "${text}.KEY".`;
  const [, key] = /^(?:request\.)?(?:body|params|request|param|parameters)\.(.+)$/i.exec(text) ?? [];
  if (key !== undefined) return `Write "params.${key}" for a parameter of the request.`;
  const [, item] = /^(?:x-gw-)?meta(?:data)?\.(.+)$/i.exec(text) ?? [];
  if (item !== undefined) return `Write "metadata.${item}".`;
  const [root = '', ...rest] = text.split('.');
  const near = rest.length === 0 ? undefined : closest(root, ['metadata', 'params']);
  if (near !== undefined) return `Did you mean "${near}.${rest.join('.')}"?`;
  return `Write "metadata.${text}" for what callers send in x-gw-metadata, or "params.${text}" for a parameter of the request.`;
};

/** Returns the path of a member of an element; undefined for an operator, or a text with an empty key. */
const elementPath = (text: string): ElementPath | undefined => {
  const path = text.split('.');
  return path.every((key) => key !== '') && !text.startsWith('$') ? path : undefined;
};

/** Suggests how to write the member of an element instead of `text`. */
const elementSuggestion = (text: string): string => {
  if (text.startsWith('$'))
    return `Write "${text}" below a member of the element; operators on the element itself go directly into "$elemMatch".`;
  const plain = withoutEmptyKeys(text);
  return plain === ''
    ? 'Name a member of the element, or write operators to compare the element itself.'
    : `Write "${plain}" for the member of an element.`;
};

const listOperators: ReadonlySet<string> = new Set(['$all', '$elemMatch', '$size']);

/** Labels, the path and the name of a config are never lists, whatever a request contains. */
const admitsList = ({ path, op, pointer }: Use<FactPath>, { reporter }: QueryContext): boolean => {
  const place = { pointer, part: 'key' } as const;
  if (path[0] !== 'params') {
    reporter.report('never-a-list', place, { operator: op, path: path.join('.') });
    return false;
  }
  const types = typesAt(path);
  if (types !== undefined && !types.includes('array'))
    reporter.report('unlikely-list', place, { operator: op, path: path.join('.'), kind: describeTypes(types) });
  return true;
};

/** Creates the scope of a whole query, and that of queries within `$elemMatch`. */
export const queryScopes = (
  context: QueryContext,
): { readonly facts: QueryScope<FactPath>; readonly element: QueryScope<ElementPath> } => {
  const withinBudget = ({ op, value, pointer }: Use<ElementPath>): boolean => {
    if (context.lists.admits(op, value)) return true;
    context.reporter.report('too-many-element-tests', { pointer, part: 'key' }, {});
    return false;
  };
  return {
    facts: {
      readPath: factPath,
      suggestPath: factSuggestion,
      reviewPath(path, pointer) {
        context.conditionAdvice?.ofPath(path, pointer, context);
      },
      admits(use) {
        context.conditionAdvice?.ofUse(use, context);
        if (!listOperators.has(use.op)) return true;
        return admitsList(use, context) && (use.op === '$size' || withinBudget(use));
      },
    },
    element: {
      readPath: elementPath,
      suggestPath: elementSuggestion,
      reviewPath: () => undefined,
      admits: withinBudget,
    },
  };
};
