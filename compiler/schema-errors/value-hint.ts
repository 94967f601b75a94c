import { fromPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import { closest, suggestion } from '../diagnostics/closest.ts';
import { sameSpelling } from '../diagnostics/spelling.ts';

/** Other words for a mode of a strategy. */
const modes: Readonly<Record<string, string>> = {
  loadbalance:
    'canary weighted weighted_random random round_robin roundrobin lb split ab ab_test balance least_busy percentage',
  fallback: 'failover fail_over priority sequential ordered backup retry chain cascade',
  conditional: 'condition if switch router routing route match rules content metadata',
  single: 'direct none one default simple',
};

const cacheModes: Readonly<Record<string, string>> = {
  simple: 'exact basic default true on memory redis',
  semantic: 'similar similarity vector embedding fuzzy',
};

const find = (table: Readonly<Record<string, string>>, word: string): string | undefined =>
  Object.entries(table).find(([, words]) => sameSpelling(word, words.split(' ')) !== undefined)?.[0];

/** Returns a hint for a value that is not one of the allowed values. */
export const valueHint = (pointer: JsonPointer, value: string, allowed: readonly string[]): string => {
  const tokens = fromPointer(pointer);
  const near = sameSpelling(value, allowed);
  if (near !== undefined) return `Did you mean "${near}"?`;
  if (tokens.at(-1) === 'mode' && tokens.at(-2) === 'strategy') {
    const meant = find(modes, value);
    if (meant === 'loadbalance') return 'Write "loadbalance", and give each target a "weight".';
    if (meant === 'fallback') return 'Write "fallback"; it tries the targets in their order.';
    if (meant === 'conditional') return 'Write "conditional", with "conditions" and a "default".';
    if (meant !== undefined) return `Write "${meant}".`;
  }
  if (tokens.at(-1) === 'mode' && tokens.at(-2) === 'cache') {
    const meant = closest(value, allowed) ?? find(cacheModes, value);
    if (meant !== undefined) return `Did you mean "${meant}"?`;
  }
  return suggestion(value, allowed);
};
