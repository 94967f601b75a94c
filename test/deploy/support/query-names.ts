/** The names in a Prometheus query. */
export interface QueryNames {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
}

const words = new Set([
  'by',
  'without',
  'on',
  'ignoring',
  'group_left',
  'group_right',
  'and',
  'or',
  'unless',
  'bool',
  'offset',
]);
const groupings = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);

const tokenPattern = /"(?:[^"\\]|\\.)*"|[a-zA-Z_:][\w:]*|\$?[\d.]+\w*|\[[^\]]*\]|=~|!~|!=|[<>]=?|==?|[(){},+*/%^-]/g;

const isName = (token: string): boolean => /^[a-zA-Z_:]/.test(token);

const namesUntil = (tokens: readonly string[], from: number, end: string): readonly string[] => {
  const at = tokens.indexOf(end, from);
  return tokens.slice(from, at < 0 ? tokens.length : at).filter(isName);
};

/**
 * Parses a query: names before a parenthesis or `by` are functions, names in braces and after `by` are labels, and all others
 * are metrics.
 */
export const queryNames = (query: string): QueryNames => {
  const variable = /^label_values\((.*), (\w+)\)$/.exec(query);
  if (variable !== null) {
    const inner = queryNames(variable[1] ?? '');
    return { metrics: inner.metrics, labels: [...inner.labels, variable[2] ?? ''] };
  }
  const tokens: readonly string[] = query.match(tokenPattern) ?? [];
  const metrics: string[] = [];
  const labels: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    const next = tokens[at + 1];
    if (token === '{' || (groupings.has(token) && next === '(')) {
      const end: string = token === '{' ? '}' : ')';
      labels.push(...namesUntil(tokens, at + 1, end));
      at = tokens.indexOf(end, at);
    } else if (isName(token) && !words.has(token) && !['(', 'by', 'without'].includes(next ?? '')) metrics.push(token);
  }
  return { metrics, labels };
};
