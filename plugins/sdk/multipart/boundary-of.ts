/** The boundary that a content-type names (RFC 2046); undefined if it names none, or one that is too long. */
export const boundaryOf = (contentType: string): string | undefined => {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s";]{1,200}))/i.exec(contentType) ?? [];
  return quoted ?? plain;
};

/** Whether a content-type is that of a form with parts. */
export const isMultipartForm = (contentType: string): boolean =>
  /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType);
