import { isJsonObject } from '../../../schema/json/json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import { type JsonPointer, rootPointer, toOptionPath } from '../../../schema/json/pointer.ts';
import { repeatedKey } from '../../../schema/json/repeated-key.ts';
import { type ConversionPort, convertPortkeyConfig } from '../../../schema/portkey/convert-config.ts';

/** Returns the text of a config for the compiler, or why it cannot be read, as the end of a sentence. */
export type ReadConfig = (text: string) => { readonly text: string } | { readonly reason: string };

/** The maximum length of the reason that is shown, because names in it are the caller's. */
const longestReason = 400;

/**
 * Records the first thing that has no counterpart, because a request that would be served differently from its config is refused.
 */
class FirstLoss implements ConversionPort {
  reason: string | undefined;

  mapSource(): void {}

  reportLoss(source: JsonPointer, why: string, instead: string): void {
    this.reason ??= `${toOptionPath(source)}: ${why} ${instead}`.slice(0, longestReason);
  }

  text({ value }: { readonly value: string }): string {
    return value;
  }

  isOmitted(): boolean {
    return false;
  }

  finish<Made>(made: Made): Made {
    return made;
  }
}

/**
 * Reads the text of a header: the name of a saved config is returned unchanged, and a config with Portkey's names is translated.
 * Anything that is not a JSON object is returned unchanged, so that the compiler reports what is wrong with it.
 */
export const readPortkeyConfig: ReadConfig = (text) => {
  const config = text.trimStart().startsWith('{') ? parseJson(text) : undefined;
  if (!isJsonObject(config) || repeatedKey(Buffer.from(text, 'latin1')) !== undefined) return { text };
  const losses = new FirstLoss();
  const made = convertPortkeyConfig(config, rootPointer, losses);
  return losses.reason === undefined ? { text: JSON.stringify(made) } : { reason: losses.reason };
};
