/** Returns the charsets in a content-type, in lower case. */
export const charsetsOf = (contentType: string): readonly string[] => {
  const [, ...parameters] = contentType.toLowerCase().split(';');
  return parameters.flatMap((each) => {
    const [name = '', value = ''] = each.split(/=(.*)/s);
    return name.trim().startsWith('charset') ? [value.trim().replaceAll('"', '')] : [];
  });
};
