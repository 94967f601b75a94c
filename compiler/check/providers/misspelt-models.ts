import { findOwnModel } from '../../../plugins/sdk/models/named-models.ts';
import { editDistance } from '../../../schema/text/closest-name.ts';
import { guessValue } from '../../diagnostics/closest.ts';
import { spelling } from '../../diagnostics/spelling.ts';
import { findModel, findProvider, isElsewhere, modelPlace } from '../../resolve/providers/source-facts.ts';
import type { IrNode, IrSource } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Longer words are compared with none. */
const longestWord = 40;
const shortestWord = 3;
/** In a shorter word another letter makes another word: "lite" and "live". */
const shortestReplaced = 5;

const wordsOf = (name: string): readonly string[] => name.toLowerCase().split(/[-_.]/);

const letters = (word: string): string => [...word].sort().join('');

/** Whether one letter of a word is missing, added or another one, or two are swapped. */
const isSlipOf = (word: string, known: string): boolean => {
  if (!/^[a-z]+$/.test(word + known) || Math.max(word.length, known.length) > longestWord) return false;
  if (Math.min(word.length, known.length) < shortestWord || editDistance(word, known) !== 1) return false;
  if (letters(word) === letters(known)) return true;
  return known.length >= shortestReplaced || (known.length > shortestWord && word.length !== known.length);
};

/**
 * Whether a name is a known one with a slip in one word, or with other marks between the words. Digits have no slips: providers
 * add models whose names differ from those before them in numbers.
 */
const isMisspelt = (name: string, known: string): boolean => {
  if (spelling(name) === spelling(known)) return true;
  const [words, right] = [wordsOf(name), wordsOf(known)];
  const differing = words.flatMap((word, at) => (word === right[at] ? [] : [[word, right[at] ?? ''] as const]));
  const [first, ...others] = differing;
  return words.length === right.length && first !== undefined && others.length === 0 && isSlipOf(...first);
};

/** Deployments, and servers at another host, have names of their own. */
const hasOwnNames = (node: IrNode, source: IrSource): boolean =>
  isElsewhere(node, source) || findProvider(source)?.settingsModels !== undefined;

/** No target asks for a model whose name is that of a known one but for a letter: of models of every kind. */
export const misspeltModels: Check = defineCheck({
  name: 'misspelt-models',
  create: ({ models, reporter }) => ({
    leaf(node, { source }) {
      const [provider, model] = [findProvider(source), findModel(node, source)];
      if (provider === undefined || typeof model !== 'string' || hasOwnNames(node, source)) return;
      const slug = source.kind === 'saved' ? source.slug : undefined;
      // A name with more before it, or in upper case, is found by another check.
      if (models?.find(provider.id, model, slug) !== undefined || findOwnModel(model, provider) !== undefined) return;
      const suggested = models?.find.names?.(provider.id, slug).find((known) => isMisspelt(model, known));
      if (suggested === undefined) return;
      const pointer = modelPlace(node, source);
      const isOverridden = node.settings.override_params?.value.model !== undefined;
      const fix = guessValue(pointer, isOverridden ? suggested : undefined);
      reporter.report(
        'misspelt-model',
        { pointer, part: 'value', ...(fix && { fix }) },
        { model, provider: provider.id, suggested },
      );
    },
  }),
});
