/** Quotes a text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns a command that sends the same request to the control plane. */
export const toCurl = (address: string, workspace: string): string =>
  [
    `curl ${quoted(address)}`,
    '-H "x-gw-api-key: $GW_API_KEY"',
    ...(workspace === '' ? [] : [`-H ${quoted(`x-gw-workspace: ${workspace}`)}`]),
  ].join(' \\\n  ');
