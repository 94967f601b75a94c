import type { Signal, SignalFinder } from './signal.ts';

interface Delimiter extends Signal {
  readonly pattern: RegExp;
}

/** The delimiters that models are trained to read as message borders, and text that imitates them. */
const delimiters: readonly Delimiter[] = [
  {
    name: 'message-border',
    weight: 0.6,
    pattern:
      /<\|(?:im_start|im_end|im_sep|system|user|assistant|start_header_id|end_header_id|eot_id|endoftext|channel)\|>/,
  },
  { name: 'message-border', weight: 0.6, pattern: /<<\/?sys>>|<(?:start|end)_of_turn>/ },
  { name: 'message-border', weight: 0.5, pattern: /\[\/?inst\]/ },
  { name: 'message-border', weight: 0.5, pattern: /<\/(?:system|user_input|user_query|instructions|prompt|context)>/ },
  {
    name: 'false-role',
    weight: 0.4,
    pattern:
      /(?:^|\n)[ \t#*>[]{0,6}(?:system|developer)(?: (?:prompt|message|note|override|update))?[\]*]{0,3}:[ \t*]{0,3}\S/,
  },
  {
    name: 'false-end',
    weight: 0.4,
    pattern:
      /(?:end of|ende der|fin de|fine del) (?:user |the |system )?(?:input|prompt|instructions|document|eingabe|anweisungen)/,
  },
];

/** Finds message borders within a text. */
export const findDelimiters: SignalFinder = (text) => delimiters.filter(({ pattern }) => pattern.test(text));
