import { compileFinder, isRegex } from '../../../schema/text/regex.ts';
import type { TextSpan } from '../../sdk/dialect/dialect.ts';
import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { notEmpty } from '../shared/not-empty.ts';
import { type Found, findFirstMatch, findMatches } from './find-matches.ts';
import { replacementRule, unknownFlags } from './replacement-rule.ts';

const ruleErrors = (rule: string): readonly string[] => {
  const flags = unknownFlags(rule);
  if (flags.length > 0) return [`The flag "${flags[0]}" of the rule is not known. Use g, i, m, s or u.`];
  const { pattern } = replacementRule(rule);
  return isRegex(pattern) ? [] : ['The rule is not a pattern that runs in linear time. Use RE2 syntax.'];
};

const inWords = ({ matches, cutShort }: Found, rule: string): string => {
  if (matches.length === 0) return `The rule ${rule} does not match, so nothing was replaced.`;
  const times = matches.length === 1 ? 'once' : `${matches.length} times`;
  return cutShort
    ? `The rule ${rule} matches too often in this text, or is too expensive for its length, so the rest of the text was replaced as one match.`
    : `The rule ${rule} matched, and was applied ${times}.`;
};

/**
 * The maximum number of matches that are replaced individually, and of characters that this adds. A verdict with too many
 * replacements would be an error, and nothing would be replaced.
 */
const max = { matches: 50_000, added: 4 * 1024 * 1024 };

const maxMatches = (redactText: string): number =>
  Math.min(max.matches, Math.floor(max.added / Math.max(1, redactText.length)));

/** Replaces the matches of `rule` by `redactText`. Passes, unless `failOnDetection` is set and the rule matches. */
export const regexReplace: Guardrail = defineGuardrail({
  id: 'default.regexReplace',
  parameters: {
    type: 'object',
    required: ['rule'],
    properties: {
      rule: {
        type: 'string',
        format: 'regex',
        minLength: 1,
        description: 'A pattern (RE2) whose first match is replaced, or /pattern/g to replace all matches.',
      },
      redactText: { type: 'string', default: '[REDACTED]', description: 'The literal replacement for each match.' },
      failOnDetection: { type: 'boolean', default: false, description: 'Fail if the rule matches.' },
    },
  },
  readsFlags: true,
  faults: ({ rule }) => ruleErrors(rule),
  parts({ rule }) {
    const { pattern, all } = replacementRule(rule);
    const { reach } = compileFinder(pattern);
    return all && reach !== undefined ? { overlap: Math.max(reach - 1, 0) } : undefined;
  },
  rewrites: () => true,
  create({ rule, redactText, failOnDetection }) {
    const { pattern, all } = replacementRule(rule);
    const finder = compileFinder(pattern);
    const atMost = maxMatches(redactText);
    const search = (spans: readonly TextSpan[]): Found => {
      if (all) return findMatches(spans, finder, atMost);
      const match = findFirstMatch(spans, finder);
      return { matches: match === undefined ? [] : [match], cutShort: false };
    };
    return ({ text, spans }) => {
      notEmpty(text);
      const found = search(spans);
      return {
        pass: !failOnDetection || found.matches.length === 0,
        data: { explanation: inWords(found, rule), rule, matches: found.matches.length },
        replace: found.matches.map((match) => ({ ...match, with: redactText })),
      };
    };
  },
});
