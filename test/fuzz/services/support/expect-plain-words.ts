/** Words in the JavaScript engine's own errors, which mean nothing to users. */
const engineWords =
  /cannot read prop|is not a function|is not iterable|is not defined|undefined|\bNaN\b|\[object |cannot convert|invalid time value|call stack|unexpected token|unexpected end|in JSON at|invalid array length|invalid string length|invalid header|out of range/i;

/**
 * Throws if a message is empty or comes from the JavaScript engine instead of the gateway. `where` is used in the thrown
 * message.
 */
export const expectPlainWords = (message: string, where: string): void => {
  if (message.trim() === '') throw new Error(`The error has no message: ${where}.`);
  if (engineWords.test(message)) throw new Error(`The message is the engine's (${where}): ${message}`);
};
