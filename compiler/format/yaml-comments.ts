import { type CST, Parser } from 'yaml';

/** Returns the comments of a YAML text in order, without trailing spaces. */
export const yamlComments = (text: string): readonly string[] => {
  const found: { readonly offset: number; readonly source: string }[] = [];
  const open: unknown[] = [...new Parser().parse(text)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) {
      for (const each of next) open.push(each);
      continue;
    }
    if (typeof next !== 'object' || next === null) continue;
    const token = next as Partial<CST.SourceToken>;
    if (token.type === 'comment') found.push({ offset: token.offset ?? 0, source: (token.source ?? '').trimEnd() });
    else for (const each of Object.values(next)) if (typeof each === 'object' && each !== null) open.push(each);
  }
  return found.sort((a, b) => a.offset - b.offset).map(({ source }) => source);
};
