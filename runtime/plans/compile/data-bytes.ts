/** An object or list; what each of their members takes beside its value; a string. */
const holderBytes = 64;
const memberBytes = 16;
const stringBytes = 24;

/**
 * About how many bytes of memory a JSON value holds. Objects and lists that are in `counted` are held by somebody else,
 * and those that are not are added to it.
 */
export const dataBytes = (value: unknown, counted: Set<object>): number => {
  if (typeof value === 'string') return stringBytes + value.length;
  if (typeof value !== 'object' || value === null || counted.has(value)) return 0;
  counted.add(value);
  let bytes = holderBytes;
  if (Array.isArray(value)) {
    for (const item of value) bytes += memberBytes + dataBytes(item, counted);
    return bytes;
  }
  for (const [name, member] of Object.entries(value))
    bytes += memberBytes + stringBytes + name.length + dataBytes(member, counted);
  return bytes;
};
