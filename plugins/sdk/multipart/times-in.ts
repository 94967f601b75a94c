/** Counts the occurrences of a text in bytes, for texts that cannot overlap with themselves. */
export const timesIn = (bytes: Buffer, text: Uint8Array): number => {
  let times = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) times += 1;
  return times;
};
