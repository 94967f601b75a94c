import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../build/package-modules.ts';

/** A declaration in a source, or a member of one. */
export interface Declaration {
  readonly name: string;
  /** Its doc comment without the comment marks. Empty if it has none. */
  readonly doc: string;
  /** Its text. For a function or a constant, without the body. */
  readonly text: string;
}

const docText = (comment: string | undefined): string =>
  (comment ?? '')
    .replace(/^\s*\/\*\*/, '')
    .replace(/\*\/\s*$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join(' ')
    .trim();

const beginning =
  /^(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:declare )?(?:abstract )?(const|class|function|interface|type) (\w+)/gm;

/** Returns where a declaration ends: before the next line that starts something else in the first column. */
const endOf = (text: string): number => {
  const found = /\n(?=(?:export|const|interface|type|class|function|import|let|async)\b|\/\*\*|\/\/)/.exec(
    text.slice(1),
  );
  return found === null ? text.length : found.index + 1;
};

const brackets: Readonly<Record<string, number>> = { '(': 1, '{': 1, '[': 1, ')': -1, '}': -1, ']': -1 };

/** Returns the signature of a constant: up to the arrow of its function, or up to its value if that has an explicit type. */
const signature = (text: string): string => {
  let depth = 0;
  let isTyped = false;
  for (let at = 0; at < text.length; at += 1) {
    depth += brackets[text[at] ?? ''] ?? 0;
    if (depth > 0) continue;
    if (text[at] === ':' && !isTyped && !text.slice(0, at).includes('=')) isTyped = true;
    if (isTyped && text.startsWith(' = ', at)) return text.slice(0, at);
    if (!isTyped && /^ =>(?: \{| \(\{|\s|$)/.test(text.slice(at)) && text.slice(0, at).includes(' = '))
      return text.slice(0, at);
  }
  return text;
};

/** Returns a class without the bodies of its methods. */
const classSignature = (text: string): string => {
  const lines: string[] = [];
  let isWithin = false;
  for (const line of text.split('\n')) {
    if (isWithin) isWithin = line !== '  }';
    else if (/^ {2}\S.*\{$/.test(line)) {
      isWithin = true;
      lines.push(`${line.slice(0, -2)};`);
    } else lines.push(line);
  }
  return lines.filter((line) => !/^ {2}(?:readonly )?#/.test(line)).join('\n');
};

const shown = (kind: string | undefined, text: string): string => {
  if (kind === 'const') return signature(text.replace(/^export /, ''));
  if (kind === 'function') return text.replace(/^export /, '').replace(/ \{\n[\s\S]*$/, '');
  return (kind === 'class' ? classSignature(text) : text).replace(/^export /, '');
};

/** Returns what a source exports by name, from its text. */
export const readDeclarations = (file: string): ReadonlyMap<string, Declaration> => {
  const source = readFileSync(path.join(root, file), 'utf8');
  const found = new Map<string, Declaration>();
  for (const { 0: whole, 1: comment, 2: kind, 3: name = '', index } of source.matchAll(beginning)) {
    const start = index + (comment?.length ?? 0);
    const rest = source.slice(start);
    const text = rest.slice(0, endOf(rest)).trimEnd();
    if (whole !== '' && !found.has(name)) found.set(name, { name, doc: docText(comment), text: shown(kind, text) });
  }
  return found;
};

/** Returns the members of an interface, each with its doc comment and type. */
export const readMembers = ({ text }: Pick<Declaration, 'text'>): readonly Declaration[] => {
  const member = /^( {2}\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)? {2}(?:readonly )?(\w+)(\??): ((?:(?!;\n)[\s\S])*);$/gm;
  return [...text.matchAll(member)].map(([, comment, name = '', optional = '', type = '']) => ({
    name,
    doc: docText(comment),
    text: optional === '' ? type : type.replace(/ \| undefined$/, ''),
  }));
};
