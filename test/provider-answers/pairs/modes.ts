import type { JsonObject } from '../../../schema/json/json.ts';

/** The word that occurs nowhere else, and that the checks below replace. */
const vowels = '/[aeiou]{2}/g';

const replace = { 'default.regexReplace': { rule: vowels, redactText: '__' } };
const count = { 'default.wordCount': { minWords: 1, maxWords: 5 } };

/** What a gateway does with the answers of a target, and whether a second target continues its streams. */
export interface Mode {
  readonly name: string;
  readonly config: JsonObject;
  readonly isContinued?: true;
}

/** The stages that read, change, keep or continue answers. */
export const modes: readonly Mode[] = [
  { name: 'plain', config: {} },
  { name: 'redacted', config: { output_guardrails: [replace] } },
  { name: 'checked', config: { output_guardrails: [{ ...count, deny: false }] } },
  {
    name: 'hooked',
    config: {
      after_request_hooks: [
        { id: 'change', type: 'mutator', checks: [{ id: 'default.regexReplace', parameters: { rule: vowels } }] },
        {
          id: 'look',
          type: 'guardrail',
          checks: [{ id: 'default.contains', parameters: { words: ['zzz'], operator: 'none' } }],
        },
      ],
    },
  },
  { name: 'cached', config: { cache: { mode: 'simple' } } },
  {
    name: 'retried',
    config: { retry: { attempts: 1, on_status_codes: [500, 502, 429] }, output_guardrails: [replace] },
  },
  { name: 'continued', config: {}, isContinued: true },
];
