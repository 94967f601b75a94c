const longestId = 512;

/** A UUID without its hyphens, braces or prefix. */
const toHex = (id: string): string =>
  id
    .toLowerCase()
    .replace(/^urn:uuid:/, '')
    .replaceAll(/[{}-]/g, '');

const toUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** An address in the storage of a cloud, in the two forms that ids of its objects have; undefined for what is none. */
const addressSpellings = (id: string): readonly string[] | undefined => {
  const [, scheme = '', rest = ''] = /^(gs|s3)(:\/\/.*)$/is.exec(id) ?? [];
  if (rest === '') return undefined;
  const address = scheme.toLowerCase() + rest;
  return [...new Set([id, address, encodeURIComponent(address.toWellFormed())])];
};

/**
 * An id as a provider may have written it: some read white space around one, and UUIDs in several forms; objects in a storage are
 * called by their address, percent-encoded or not.
 */
export const idSpellings = (named: string): readonly string[] => {
  const id = named.trim();
  if (id === '' || id.length > longestId || id.includes('\0')) return [];
  const addresses = addressSpellings(id);
  if (addresses !== undefined) return addresses;
  const hex = toHex(id);
  if (!/^[\da-f]{32}$/.test(hex)) return [id];
  return [...new Set([id, toUuid(hex), hex])];
};
