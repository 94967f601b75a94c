import type { FactPath } from '../../../schema/plan/condition.ts';
import { closest, suggestion } from '../../diagnostics/closest.ts';

/** The path of a fact that conditions can test; nothing for any other text. */
export const factPath = (text: string): FactPath | undefined => {
  if (text === 'url.pathname') return ['url', 'pathname'];
  if (text === 'plan.model') return ['plan', 'model'];
  const [root, ...rest] = text.split('.');
  const known = root === 'metadata' || root === 'params';
  return known && rest.length > 0 && rest.every((key) => key !== '') ? [root, ...rest] : undefined;
};

/** Suggests the fact that a condition was meant to test instead of `text`. */
export const factSuggestion = (text: string): string => {
  if (/^\$not$/i.test(text)) return 'Write "$not" below a path: { "metadata.tier": { "$not": { … } } }.';
  if (/^\$nor$/i.test(text)) return 'Use "$ne" or "$nin" on the value.';
  if (text.startsWith('$')) return suggestion(text, ['$and', '$or']);
  if (/^(?:url|path|pathname|request\.path|request\.url)\b/i.test(text))
    return 'Of the URL only "url.pathname" can be tested.';
  if (/^plan\b/i.test(text))
    return 'Of the plan only "plan.model" can be tested: the config that a virtual model stands for.';
  if (/^(?:request\.)?headers?\b/i.test(text))
    return 'Conditions test "metadata.…", "params.…" and "url.pathname"; send the value in x-gw-metadata instead of a header.';
  if (/^(?:metadata|params)\.*$/.test(text)) return `Name a key of it: "${text.replace(/\.*$/, '')}.KEY".`;
  const [, key] = /^(?:request\.)?(?:body|params|request|param|parameters)\.(.+)$/i.exec(text) ?? [];
  if (key !== undefined) return `Write "params.${key}" for a parameter of the request.`;
  const [, item] = /^(?:x-gw-)?meta(?:data)?\.(.+)$/i.exec(text) ?? [];
  if (item !== undefined) return `Write "metadata.${item}".`;
  const [root = '', ...rest] = text.split('.');
  const near = rest.length === 0 ? undefined : closest(root, ['metadata', 'params']);
  if (near !== undefined) return `Did you mean "${near}.${rest.join('.')}"?`;
  return `Write "metadata.${text}" for what callers send in x-gw-metadata, or "params.${text}" for a parameter of the request.`;
};
