import type { Embed } from '../../../plugins/sdk/cache/cache.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';

const remedy =
  'If it goes on, correct "cache.semantic" in the gateway file, or the saved provider that it names; its "timeout_ms" is how long a vector may take.';

/** The same embedder, whose failures the operator is notified of: the first of several in a row, and that it works again. */
export const withEmbedLog = (embed: Embed, log: (text: string) => void): Embed => {
  let fails = false;
  return async (request) => {
    try {
      const vector = await embed(request);
      if (fails) log('Vectors of questions are made again.');
      fails = false;
      return vector;
    } catch (error) {
      // A client that leaves ends its own call.
      if (!fails && request.cancellation?.cancelled !== true) {
        fails = true;
        log(
          `The provider of "cache.semantic" makes no vectors, so that only equal requests are answered from the cache. ${toSentence(errorText(error))} ${remedy}`,
        );
      }
      throw error;
    }
  };
};
