import { errorText } from '../../schema/error-text.ts';
import type { Plugin } from '../sdk/plugin.ts';
import type { Provider } from '../sdk/provider.ts';
import { wholeDialect } from '../sdk/whole-dialect.ts';
import { ContractError } from '../testing/faults.ts';
import { testDialect } from '../testing/test-dialect.ts';
import { testGuardrail } from '../testing/test-guardrail.ts';
import { testProvider } from '../testing/test-provider.ts';

const faultsOf = async (subject: string, test: () => unknown): Promise<readonly string[]> => {
  try {
    await test();
    return [];
  } catch (error) {
    const faults = error instanceof ContractError ? error.faults : [errorText(error)];
    return faults.map((fault) => `${subject}: ${fault}.`);
  }
};

/** A provider can be tested without an example where it needs neither settings nor tokens. */
const needsNoExample = ({ ownSettings, authorize, baseUrl }: Provider): boolean =>
  (ownSettings?.required ?? []).length === 0 && authorize === undefined && typeof baseUrl !== 'function';

/** Which contracts a plugin violates, of those that can be tested without an example of its use. */
export const contractFaults = async ({
  providers = [],
  dialects = [],
  guardrails = [],
}: Plugin): Promise<readonly string[]> => {
  const tests = [
    ...providers
      .filter(needsNoExample)
      .map((provider) => faultsOf(`The provider "${provider.id}"`, () => testProvider(provider))),
    ...dialects.map((dialect) =>
      faultsOf(`The dialect "${dialect.id}"`, async () => testDialect(await wholeDialect(dialect))),
    ),
    ...guardrails.map((check) => faultsOf(`The check "${check.id}"`, () => testGuardrail(check, []))),
  ];
  return (await Promise.all(tests)).flat();
};
