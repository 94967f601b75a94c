import { Composer, type CST, type Document, Parser } from 'yaml';
import { maxNesting } from '../syntax-messages.ts';

/** Returns the tokens of a text. */
export const yamlTokens = (text: string): readonly CST.Token[] => [...new Parser().parse(text)];

/** Returns the place of the first value that is nested too deep; undefined if there is none. Does not recurse. */
export const deepPlace = (tokens: readonly CST.Token[]): number | undefined => {
  const open: { readonly token: CST.Token; readonly depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if ('items' in token && depth >= maxNesting) return token.offset;
    if (token.type === 'document') {
      if (token.value !== undefined) open.push({ token: token.value, depth });
    } else if ('items' in token)
      for (const { key, value } of token.items) {
        if (key != null) open.push({ token: key, depth: depth + 1 });
        if (value !== undefined) open.push({ token: value, depth: depth + 1 });
      }
  }
  return undefined;
};

export const isDocument = (token: CST.Token): boolean => token.type === 'document';

/** Returns the first document of the tokens (YAML 1.2, core schema) with its errors. It must not be nested too deep. */
export const composed = (tokens: readonly CST.Token[], text: string): Document.Parsed | Document | undefined => {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    keepSourceTokens: true,
    logLevel: 'silent',
  });
  const [document] = composer.compose(tokens, true, text.length);
  return document;
};
