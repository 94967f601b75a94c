import { errorText } from '../../../schema/text/error-text.ts';
import { loadDialect } from '../../sdk/dialect/load-dialect.ts';
import type { Plugin } from '../../sdk/plugin/plugin.ts';
import type { Provider } from '../../sdk/provider/provider.ts';
import { testDialect } from '../../testkit/dialect/test-dialect.ts';
import { ContractError } from '../../testkit/errors/reasons.ts';
import { testProvider } from '../../testkit/provider/test-provider.ts';
import { testGuardrail } from '../../testkit/test-guardrail.ts';

const collectFaults = async (subject: string, test: () => unknown): Promise<readonly string[]> => {
  try {
    await test();
    return [];
  } catch (error) {
    const errors = error instanceof ContractError ? error.errors : [errorText(error)];
    return errors.map((reason) => `${subject}: ${reason}.`);
  }
};

/** A provider can be tested without an example if it needs neither settings nor tokens. */
const needsNoExample = ({ ownSettings, authorize, baseUrl }: Provider): boolean =>
  (ownSettings?.required ?? []).length === 0 && authorize === undefined && typeof baseUrl !== 'function';

/** Returns the contracts that a plugin violates, among those that can be tested without an example. */
export const contractErrors = async ({
  providers = [],
  dialects = [],
  guardrails = [],
}: Plugin): Promise<readonly string[]> => {
  const tests = [
    ...providers
      .filter(needsNoExample)
      .map((provider) => collectFaults(`The provider "${provider.id}"`, () => testProvider(provider))),
    ...dialects.map((dialect) =>
      collectFaults(`The dialect "${dialect.id}"`, async () => testDialect(await loadDialect(dialect))),
    ),
    ...guardrails.map((check) => collectFaults(`The check "${check.id}"`, () => testGuardrail(check, []))),
  ];
  return (await Promise.all(tests)).flat();
};
