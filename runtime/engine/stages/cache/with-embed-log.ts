import type { Embed } from '../../../../plugins/sdk/cache/cache.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { toSentence } from '../../../../schema/text/to-sentence.ts';

const remedy =
  'If this continues, correct "cache.semantic" in the gateway file, or the saved provider that it names. Its "timeout_ms" is how long a vector may take.';

/** Returns the same embedder, but notifies the operator of the first of several consecutive failures, and when it works again. */
export const withEmbedLog = (embed: Embed, log: (text: string) => void): Embed => {
  let fails = false;
  return async (request) => {
    try {
      const vector = await embed(request);
      if (fails) log('The provider of "cache.semantic" works again.');
      fails = false;
      return vector;
    } catch (error) {
      // A client that disconnects cancels its own call, which is not a failure of the provider.
      if (!fails && request.cancellation?.cancelled !== true) {
        fails = true;
        log(
          `The provider of "cache.semantic" does not return vectors, so only identical requests are answered from the cache. ${toSentence(errorText(error))} ${remedy}`,
        );
      }
      throw error;
    }
  };
};
