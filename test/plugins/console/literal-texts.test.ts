import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, it } from 'vitest';

const app = path.join(import.meta.dirname, '../../../plugins/console/app');
const files = globSync('**/*.{ts,tsx}', { cwd: app }).filter((file) => !file.startsWith('texts/'));

/** Files whose literals are styles or code in other languages. */
const otherLanguages = ['pages/playground/snippets.ts', 'pages/config/theme.ts'];

/** Literals that look like words but are not shown: names of keys and errors, and modes of other code. */
const names = new Set([
  ...['Enter', 'Home', 'End', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Escape', 'Tab'],
  ...['AbortError', 'ApiError'],
]);

/** Attributes and members whose value is shown or read aloud. */
const shown =
  /^(?:title|label|hint|caption|placeholder|alt|lead|aria-label|aria-description|aria-roledescription|aria-valuetext)$/;
/** Attributes whose values only programs read. */
const unseen = /^(?:class|rel|id|for|name|key|type|role|href|autocomplete|size|tone|kind|viewBox|d)$/;

const isSelector = (text: string): boolean => /^[.#[]/.test(text);
const isPhrase = (text: string): boolean =>
  !names.has(text) && !isSelector(text) && (/\p{L}{2,},? \p{L}/u.test(text) || /^\p{Lu}\p{Ll}/u.test(text));
/** Words next to an interpolation. */
const isPart = (text: string): boolean => isPhrase(text) || /^ \p{L}/u.test(text);
const hasLetters = (text: string): boolean => /\p{L}/u.test(text) && !names.has(text);

interface Node {
  readonly type?: string;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  return String(node.name ?? node.value ?? '');
};

type IsText = (text: string) => boolean;

/** How to find the texts in certain kinds of nodes. For all other nodes, their children are searched. */
const finders: Readonly<Record<string, (node: Node, isText: IsText) => readonly string[]>> = {
  ImportDeclaration: () => [],
  ImportExpression: () => [],
  TSLiteralType: () => [],
  // A programming error, which no user sees.
  NewExpression: (node) => (nameOf(node.callee) === 'TypeError' ? [] : findIn(node, isPhrase)),
  JSXText: ({ value }) => (hasLetters(String(value)) ? [String(value).trim()] : []),
  Literal: ({ value }, isText) => (typeof value === 'string' && isText(value) ? [value] : []),
  TemplateElement: ({ value }, isText) => {
    const { cooked = '' } = value as { readonly cooked?: string };
    return (isText === hasLetters ? hasLetters(cooked) : isPart(cooked)) ? [cooked] : [];
  },
  JSXAttribute: ({ name, value }) =>
    unseen.test(nameOf(name)) ? [] : findTexts(value, shown.test(nameOf(name)) ? hasLetters : isPhrase),
  Property: (node) => (shown.test(nameOf(node.key)) ? findTexts(node.value, hasLetters) : findIn(node, isPhrase)),
  JSXElement: ({ openingElement, children }) => [
    ...findTexts((openingElement as Node).attributes, isPhrase),
    ...findTexts(children, hasLetters),
  ],
  JSXFragment: ({ children }) => findTexts(children, hasLetters),
  ConditionalExpression: ({ test, consequent, alternate }, isText) => [
    ...findTexts(test, isPhrase),
    ...findTexts([consequent, alternate], isText),
  ],
  LogicalExpression: ({ left, right }, isText) => [...findTexts(left, isPhrase), ...findTexts(right, isText)],
  JSXExpressionContainer: (node, isText) => findIn(node, isText),
  TemplateLiteral: (node, isText) => findIn(node, isText),
};

/** Finds the texts of a program part that a user would read. `isText` decides which plain literals are texts. */
const findTexts = (node: unknown, isText: IsText): readonly string[] => {
  if (Array.isArray(node)) return node.flatMap((each) => findTexts(each, isText));
  if (!isNode(node)) return [];
  return (finders[node.type ?? ''] ?? ((other) => findIn(other, isPhrase)))(node, isText);
};

const findIn = (node: Node, isText: IsText): readonly string[] =>
  Object.values(node).flatMap((value) => findTexts(value, isText));

const textsOf = (file: string, text: string): readonly string[] => {
  const { program, errors } = parseSync(file, text);
  expect(errors).toEqual([]);
  return findTexts(program, isPhrase);
};

it('finds texts in code', () => {
  const found = textsOf(
    'page.tsx',
    `import { a } from './a file.ts';
    const columns = [{ title: 'ms', name: 'sent at' }, { title: texts.cost }];
    const Page = () => <p class="card wide" title="tip">Said {isOpen ? 'yes' : texts.no} {count > 1 && 'many'}{\`\${n} ms\`}</p>;
    if (kind === 'open') say('It failed.');`,
  );
  expect(found).toEqual(['ms', 'sent at', 'tip', 'Said', 'yes', 'many', ' ms', 'It failed.']);
});

it.each(files.filter((file) => !otherLanguages.includes(file)))('%s contains no literal text', (file) => {
  expect(textsOf(file, readFileSync(path.join(app, file), 'utf8'))).toEqual([]);
});
