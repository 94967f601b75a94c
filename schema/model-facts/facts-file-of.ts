/** The file of providers' lists that belongs to a gateway file: `gateway.models.json` beside `gateway.json`. */
export const factsFileOf = (gatewayFile: string): string => gatewayFile.replace(/(?:\.jsonc?)?$/, '.models.json');
