import { refusal } from './refusal.ts';

/** The first bytes of files of these types, in base64. */
const beginnings: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGg',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'application/pdf': 'JVBERi',
};

/** Checks base64 data of a file of that type, which vendors decode and inspect. */
export const checkedMedia = (data: string, mimeType: string, at: string): string => {
  if (data === '' || Buffer.from(data, 'base64').toString('base64') !== data) throw refusal(at, 'is not valid base64.');
  if (!data.startsWith(beginnings[mimeType] ?? '')) throw refusal(at, `is not of the type ${mimeType}.`);
  return data;
};

/** Returns the data of a URL `data:<type>;base64,…`. Any other URL, which the vendor would load, is returned itself. */
export const urlMedia = (url: string, types: RegExp, at: string): string => {
  if (/^https?:\/\//.test(url)) return url;
  const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (mimeType === undefined || data === undefined) throw refusal(at, 'must be a URL of https: or of data: in base64.');
  if (!types.test(mimeType)) throw refusal(at, `has the type ${mimeType}, which is not supported.`);
  return checkedMedia(data, mimeType, at);
};

/** Checks a value that only its maker can read. No vendor's value contains a dot, but the gateway's own marks do. */
export const checkedProof = (proof: string, at: string): string => {
  if (!/^[\w+/-]+={0,2}$/.test(proof)) throw refusal(at, 'is not a value that this vendor made.');
  return proof;
};
