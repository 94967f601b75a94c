import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';

/**
 * The member that has the input of a custom tool where a format knows only functions. The name is our own, so that a call
 * of such a function is known to be a call of the custom tool when it comes back.
 */
export const customMember = 'gw_input';

/** The parameters of the function that stands for a custom tool. */
export const customParameters: JsonObject = {
  type: 'object',
  properties: { [customMember]: { type: 'string', description: 'The input of the tool, as plain text.' } },
  required: [customMember],
  additionalProperties: false,
};

/** The arguments that stand for the input of a custom tool. */
export const customArguments = (input: string): JsonObject => ({ [customMember]: input });

/** The input of a custom tool, if these arguments stand for one. */
export const customInput = (input: JsonObject | undefined): string | undefined =>
  input !== undefined && Object.keys(input).length === 1 ? findText(input[customMember]) : undefined;

const customStart = `{${JSON.stringify(customMember)}`;

/** The arguments that stand for an input as they are written in pieces: a start, the pieces of the input, and an end. */
export const customInputStart: string = `${customStart}:"`;
export const customInputPiece = (text: string): string => JSON.stringify(text).slice(1, -1);
export const customInputEnd = '"}';

/** More than the longest beginning that models write, with its white space. */
const longestStart = 100;

/**
 * Whether arguments are the input of a custom tool, as far as their beginning says: `maybe` while it is too short. No more
 * of the text is looked at, however long it is.
 */
export const startsCustom = (text: string): 'yes' | 'no' | 'maybe' => {
  const start = text.slice(0, longestStart).replaceAll(/\s/g, '');
  if (start.startsWith(customStart)) return 'yes';
  return customStart.startsWith(start) && text.length < longestStart ? 'maybe' : 'no';
};

/** The most characters of arguments that are held until they are complete. */
const maxHeld = 4 * 1024 * 1024;

/**
 * Joins what is held of a call's arguments with another piece. Throws where that is too much: providers may go on for
 * ever.
 */
export const growInput = (held: string, piece: string): string => {
  if (held.length + piece.length > maxHeld)
    throw new RangeError(`The arguments of a tool call are longer than ${maxHeld} characters.`);
  return held + piece;
};
