import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import type { Check, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { judgePieces } from '../pieces/judge-pieces.ts';
import { askPangea, type PangeaParameters, vendor } from './ask-pangea.ts';

/** The parameters of `pangea.textGuard`. */
export interface TextGuardParameters extends PangeaParameters {
  readonly recipe?: string;
  readonly debug: boolean;
  readonly overrides?: JsonObject;
}

/** The service accepts 20 KiB of text, and a UTF-16 unit has up to three bytes: https://pangea.cloud/docs/api/ai-guard */
const maxCharacters = 6000;

interface Guarded {
  readonly blocked: boolean;
  readonly detected: readonly string[];
}

const guarded = (result: AnswerReader): Guarded => {
  const detectors = result.has('detectors') ? result.object('detectors').json : {};
  return {
    blocked: result.flag('blocked'),
    detected: Object.entries(detectors).flatMap(([name, found]) =>
      isJsonObject(found) && found.detected === true ? [name] : [],
    ),
  };
};

const toVerdict = (parts: readonly Guarded[]): Verdict => {
  const blocked = parts.some((part) => part.blocked);
  const detected = [...new Set(parts.flatMap((part) => part.detected))].sort();
  const found = detected.length === 0 ? '' : `, and found ${detected.join(', ')}`;
  return {
    pass: !blocked,
    data: {
      explanation: `The recipe of ${vendor} ${blocked ? 'blocks' : 'does not block'} the text${found}.`,
      detected,
    },
  };
};

/** The recipe must not block the text. Text that it is only set to report is shown, and passes. */
export const textGuard = (parameters: TextGuardParameters, services: CheckServices): Check => {
  const ask = askPangea('ai-guard', parameters, services);
  const { recipe, debug, overrides } = parameters;
  const settings = { debug, ...(recipe !== undefined && { recipe }), ...(overrides !== undefined && { overrides }) };
  return async ({ text, cancellation }) =>
    toVerdict(
      await judgePieces(text, maxCharacters, async (piece) => [
        guarded(await ask('/v1/text/guard', { text: piece.text, ...settings }, cancellation)),
      ]),
    );
};
