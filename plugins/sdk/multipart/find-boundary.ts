const parameter = /\s*;\s*([^\s;="]+)\s*=\s*(?:"([^"\\]*)"|([^\s;"]*))/gy;

const longest = 200;

/** Matches text that some parsers take for the parameter, wherever it occurs. */
const resembling = /boundary[\s*\d]*=/gi;

/**
 * Returns the boundary in a content-type (RFC 2046). Returns undefined if there is none, if it is too long, or if another parser
 * might find another one: there are two, `boundary*` (RFC 2231) is used, or not all parameters can be parsed.
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

/** Whether a content-type is multipart/form-data. */
export const isMultipartForm = (contentType: string): boolean =>
  /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType);
