/** Quotes a text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The command that asks the control plane the same. */
export const toCurl = (address: string, workspace: string): string =>
  [
    `curl ${quoted(address)}`,
    '-H "x-gw-api-key: $GW_API_KEY"',
    ...(workspace === '' ? [] : [`-H ${quoted(`x-gw-workspace: ${workspace}`)}`]),
  ].join(' \\\n  ');
