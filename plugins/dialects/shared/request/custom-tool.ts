import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';

/**
 * The member for the input of a custom tool in formats that have only functions. The name is our own, so a call of such a
 * function is recognised as a call of the custom tool when it comes back.
 */
export const customMember = 'gw_input';

/** The parameters of the function that stands for a custom tool. */
export const customParameters: JsonObject = {
  type: 'object',
  properties: { [customMember]: { type: 'string', description: 'The input of the tool, as plain text.' } },
  required: [customMember],
  additionalProperties: false,
};

/** Returns the arguments that stand for the input of a custom tool. */
export const customArguments = (input: string): JsonObject => ({ [customMember]: input });

/** Returns the input of a custom tool, if these arguments stand for one. */
export const customInput = (input: JsonObject | undefined): string | undefined =>
  input !== undefined && Object.keys(input).length === 1 ? findText(input[customMember]) : undefined;

const customStart = `{${JSON.stringify(customMember)}`;

/** The arguments that stand for an input, when written in pieces: a start, the pieces of the input, and an end. */
export const customInputStart: string = `${customStart}:"`;
export const customInputPiece = (text: string): string => JSON.stringify(text).slice(1, -1);
export const customInputEnd = '"}';

/** Longer than any beginning that models write, including white space. */
const longestStart = 100;

/**
 * Whether arguments are the input of a custom tool, judging by their beginning: `maybe` while it is too short. The rest of the
 * text is not examined, however long it is.
 */
export const startsCustom = (text: string): 'yes' | 'no' | 'maybe' => {
  const start = text.slice(0, longestStart).replaceAll(/\s/g, '');
  if (start.startsWith(customStart)) return 'yes';
  return customStart.startsWith(start) && text.length < longestStart ? 'maybe' : 'no';
};

/** How many characters of arguments are held until they are complete. */
const maxHeld = 4 * 1024 * 1024;

/** Joins the held arguments of a call with another piece. Throws if they become too long, because providers may never stop. */
export const appendInput = (held: string, piece: string): string => {
  if (held.length + piece.length > maxHeld)
    throw new RangeError(`The arguments of a tool call are longer than ${maxHeld} characters.`);
  return held + piece;
};
