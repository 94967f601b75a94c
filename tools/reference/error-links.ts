import { type ErrorCode, errorTable } from '../../schema/errors/errors.ts';
import { accessErrors } from '../../schema/errors/table/access-errors.ts';
import { configErrors } from '../../schema/errors/table/config-errors.ts';
import { gatewayErrors } from '../../schema/errors/table/gateway-errors.ts';
import { limitErrors } from '../../schema/errors/table/limit-errors.ts';
import { providerErrors } from '../../schema/errors/table/provider-errors.ts';
import { requestErrors } from '../../schema/errors/table/request-errors.ts';
import { storeErrors } from '../../schema/errors/table/store-errors.ts';
import { code } from './markdown.ts';

/** A part of the table of errors, with its page below `errors/`. */
export interface ErrorArea {
  readonly name: string;
  readonly title: string;
  readonly codes: readonly ErrorCode[];
}

/** Whether an error answer has the code. */
export const isError = (name: string): name is ErrorCode => Object.hasOwn(errorTable, name);

const toArea = (name: string, title: string, rows: object): ErrorArea => ({
  ...{ name, title, codes: Object.keys(rows).filter(isError) },
});

export const errorAreas: readonly ErrorArea[] = [
  toArea('access', 'Keys and permissions', accessErrors),
  toArea('requests', 'Routes and bodies', requestErrors),
  toArea('configs', 'Configs, prompts, targets and hosts', configErrors),
  toArea('limits', 'Limits and capacity', limitErrors),
  toArea('providers', 'Providers and their answers', providerErrors),
  toArea('gateway', 'Guardrails and the gateway itself', gatewayErrors),
  toArea('store', 'The control plane and its store', storeErrors),
];

/** Returns a link to the entry of an error. `toErrors` is the path from the page's folder to that of the errors. */
export const errorLink = (name: ErrorCode, toErrors: string): string => {
  const area = errorAreas.find(({ codes }) => codes.includes(name));
  if (area === undefined) throw new Error(`The error ${name} is in no area of the reference.`);
  return `[${code(name)}](${toErrors}${area.name}.md#${name})`;
};

/** Links the errors that an SDK page names: those that are documented as thrown. */
export const linkErrors = (text: string, toErrors: string): string =>
  /`GatewayError` `/.test(text)
    ? text.replace(/`([a-z-]+)`/g, (whole, name: string) => (isError(name) ? errorLink(name, toErrors) : whole))
    : text;
