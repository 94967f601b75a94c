/** How often bytes have a text, where no end of it begins it again. */
export const timesIn = (bytes: Buffer, text: Uint8Array): number => {
  let times = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) times += 1;
  return times;
};
