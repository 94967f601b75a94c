import type { JsonObject } from '../../../schema/json/json.ts';
import { toError } from '../../../schema/text/error-text.ts';

const longestMessage = 500;
const unnamed: JsonObject = { name: 'Check error', message: 'Error executing check' };

/** Thrown if a part cannot be judged, or cannot be changed as a check wants. This is not an error of the check. */
export class NotChecked extends Error {
  override name = 'Check error';
}

/** Describes what a check threw, for its result. Even inspecting a thrown value may throw. */
export const checkError = (thrown: unknown, withoutSecrets: (text: string) => string): JsonObject => {
  try {
    const { name, message } = toError(thrown);
    return {
      name: withoutSecrets(String(name).slice(0, longestMessage)),
      message: withoutSecrets(message.slice(0, longestMessage)),
    };
  } catch {
    return unnamed;
  }
};
