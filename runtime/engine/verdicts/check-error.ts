import type { JsonObject } from '../../../schema/json/json.ts';
import { toError } from '../../../schema/text/error-text.ts';

const longestMessage = 500;
const unnamed: JsonObject = { name: 'Check error', message: 'Error executing check' };

/** Why a part cannot be judged, or not be changed as a check wants: no error of the check's. */
export class NotChecked extends Error {
  override name = 'Check error';
}

/** Describes what a check threw, as a result shows it. A thrown value may even throw when it is looked at. */
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
