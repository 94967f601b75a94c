/** Words of the engine's own errors, which say nothing to who reads them. */
const engineWords =
  /cannot read prop|is not a function|is not iterable|is not defined|undefined|\bNaN\b|\[object |cannot convert|invalid time value|call stack|unexpected token|unexpected end|in JSON at|invalid array length|invalid string length|invalid header|out of range/i;

/** Throws for a message that is empty, or is the engine's and not the gateway's; `where` is for its own message. */
export const expectPlainWords = (message: string, where: string): void => {
  if (message.trim() === '') throw new Error(`Where ${where}, the error has no message.`);
  if (engineWords.test(message)) throw new Error(`Where ${where}, the message is the engine's: ${message}`);
};
