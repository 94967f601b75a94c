const parameter = /\s*;\s*([^\s;="]+)\s*=\s*(?:"([^"\\]*)"|([^\s;"]*))/gy;

const longest = 200;

/** Matches text that some readers take for the parameter, wherever it stands. */
const resembling = /boundary[\s*\d]*=/gi;

/**
 * The boundary that a content-type names (RFC 2046); undefined if it names none, or one that is too long, or if another
 * reader could find another one: where there are two, `boundary*` (RFC 2231) is one, or its parameters cannot all be read.
 */
export const findBoundary = (contentType: string): string | undefined => {
  const parameters = contentType.slice(`${contentType};`.indexOf(';'));
  const found: string[] = [];
  let length = 0;
  for (const [all, name = '', quoted, plain = ''] of parameters.matchAll(parameter)) {
    length += all.length;
    if (/^boundary$/i.test(name)) found.push(quoted ?? plain);
  }
  const [boundary = ''] = found;
  const isRead = ['', ';'].includes(parameters.slice(length).trim()) && contentType.match(resembling)?.length === 1;
  return isRead && found.length === 1 && boundary !== '' && boundary.length <= longest ? boundary : undefined;
};

/** Whether a content-type is that of a form with parts. */
export const isMultipartForm = (contentType: string): boolean =>
  /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType);
