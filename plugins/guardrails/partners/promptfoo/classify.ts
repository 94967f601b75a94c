import type { Check, CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { foundVerdict } from '../findings/found-verdict.ts';
import { judgePieces } from '../pieces/judge-pieces.ts';
import { askPromptfoo, maxCharacters, type PromptfooParameters, vendor } from './ask-promptfoo.ts';

/** Returns the categories of a flagged result, or a general name if it has none. */
const foundIn = (result: AnswerReader): readonly string[] => {
  if (!result.flag('flagged')) return [];
  const names = Object.entries(result.has('categories') ? result.object('categories').json : {}).flatMap(
    ([name, is]) => (is === true ? [name] : []),
  );
  return names.length > 0 ? names : ['something'];
};

const classify =
  (path: string) =>
  (parameters: PromptfooParameters, services: CheckServices): Check => {
    const ask = askPromptfoo(path, parameters, services);
    return async ({ text, cancellation }) =>
      foundVerdict(
        vendor,
        await judgePieces(text, maxCharacters, async (piece) => foundIn(await ask(piece.text, cancellation))),
      );
  };

/** The text must not be an injection or a jailbreak. */
export const guard: (parameters: PromptfooParameters, services: CheckServices) => Check = classify('/v1/guard');

/** The text must not be harmful. */
export const harm: (parameters: PromptfooParameters, services: CheckServices) => Check = classify('/v1/harm');
