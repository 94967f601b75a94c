import type { CommandSpec, CommandTree } from '../../../../schema/command-help/command-spec.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { type Capability, capabilities, readCapabilities } from '../../../../schema/model-facts/capability.ts';
import { isRetired } from '../../../../schema/model-facts/deprecation.ts';
import type { ModelFacts } from '../../../../schema/model-facts/model-facts.ts';
import type { ShownPrices } from '../../../../schema/model-facts/readable-prices.ts';
import { toDay } from '../../../../schema/model-facts/to-day.ts';
import { alignColumns } from '../../../../schema/text/align-columns.ts';
import { suggestName } from '../../../../schema/text/closest-name.ts';
import { formatNumber } from '../../../../schema/text/format-count.ts';
import { nearestProviderHint } from '../../../../schema/text/provider-hint.ts';
import { isGatewaySet } from '../client/gateway-access.ts';
import {
  type ControlServices,
  type ExitCode,
  findFlagText,
  type KnownModels,
  usageFailure,
  withArguments,
} from '../command-line/services.ts';
import { jsonOutput, printable, printableText, tableText } from './texts.ts';
import { type Run, withFailures } from './with-failures.ts';

const spec: CommandSpec = {
  name: 'gw models',
  summary: 'Lists what is known about models: their limits, what they can do, and when they retire.',
  positionals: '[NAME]',
  takes: { min: 0, max: 1 },
  options: {
    provider: {
      type: 'string',
      value: 'ID',
      describe: 'Only the models of this provider, or of a saved one as @slug.',
    },
    capabilities: {
      type: 'string',
      value: 'LIST',
      joins: true,
      describe: 'Only models that are known to have all of these, separated by commas: tools,vision.',
    },
    format: { type: 'string', choices: ['table', 'json'], describe: 'table by default.' },
    config: {
      type: 'string',
      value: 'FILE',
      describe: 'The gateway file whose plugins, facts and lists are used; gateway.json by default, if there is one.',
    },
  },
  notes: [
    `Capabilities: ${capabilities.join(', ')}.`,
    '',
    'Each fact comes from the first source that states it: "model_facts" of the gateway file, the list of the provider as it was',
    'last read by gw models refresh, the table of the provider, and the public price table. It sends no requests. With the NAME of',
    'a model it also shows its prices in US dollars. Prices of an integration in a store take precedence, and gw integrations',
    'models SLUG --format json shows those. Any other NAME lists the models whose names contain it, or have it at the beginning or',
    "the end: 'claude*', '*mini'. Models that their provider may already refuse come last.",
    '',
    '--capabilities omits models whose capabilities are not known; gw providers kinds shows what each provider serves.',
    '',
  ].join('\n'),
  examples: ['gw models --provider openai --capabilities tools,vision', 'gw models claude-opus'],
};

/** Prices are shown with all of their decimals. */
const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 12 });

const tokens = (count: number | undefined): string => (count === undefined ? '-' : formatNumber(count));

const table = (all: readonly ModelFacts[], width: number | undefined): string =>
  tableText({
    head: ['PROVIDER', 'MODEL', 'CONTEXT', 'OUTPUT', 'CAPABILITIES', 'UNTIL', 'SOURCE', 'AS OF'],
    rows: all.map((facts) => [
      ...[printable(facts.provider), printable(facts.model), tokens(facts.context), tokens(facts.output)],
      facts.capabilities.length === 0 ? '-' : facts.capabilities.join(', '),
      ...[facts.deprecated ?? '-', facts.source, facts.asOf].map(printable),
    ]),
    width,
  });

/** Writes a line for each price. */
const priceLines = (prices: ShownPrices | undefined): readonly (readonly [string, string])[] => {
  const lines = (listed: Readonly<Record<string, number>> = {}, unit: string) =>
    Object.entries(listed).map(
      ([name, usd]) => ['price', `${name.replaceAll('_', ' ')}: $${exact.format(usd)} ${unit}`] as const,
    );
  return [...lines(prices?.usd_per_million_tokens, 'for a million tokens'), ...lines(prices?.usd_each, 'each')];
};

/** A model with its prices, if it was requested by name. */
interface PricedFacts {
  readonly facts: ModelFacts;
  readonly prices?: ShownPrices | undefined;
}

/** Writes each fact of a model on a line, with its source. */
const factLines = ({ facts, prices }: PricedFacts): string => {
  const origin = (fact: string): string => {
    const by = facts.from[fact];
    return by === undefined ? '' : `  (${by.source}, ${by.asOf})`;
  };
  const rows: readonly (readonly [string, string])[] = [
    ['provider', facts.provider],
    ['model', facts.model],
    ...(facts.aliases.length === 0 ? [] : [['aliases', facts.aliases.join(', ')] as const]),
    ...(facts.context === undefined ? [] : [['context', `${tokens(facts.context)}${origin('context')}`] as const]),
    ...(facts.output === undefined ? [] : [['output', `${tokens(facts.output)}${origin('output')}`] as const]),
    ...(facts.prices === undefined ? [] : [['prices', `${facts.prices}${origin('prices')}`] as const]),
    ...priceLines(prices),
    ...(facts.deprecated === undefined ? [] : [['until', `${facts.deprecated}${origin('deprecated')}`] as const]),
    ...facts.capabilities.map((name) => ['can', `${name}${origin(name)}`] as const),
    ...facts.lacks.map((name) => ['cannot', `${name}${origin(name)}`] as const),
  ];
  return alignColumns(rows.map(([name, shown]) => [name, printable(shown)]))
    .map((line) => `${line}\n`)
    .join('');
};

const factsJson = ({
  facts: { context, output, prices, deprecated, from, ...facts },
  prices: shown,
}: PricedFacts): JsonObject => ({
  ...facts,
  ...(context !== undefined && { context }),
  ...(output !== undefined && { output }),
  ...(prices !== undefined && { prices }),
  ...shown,
  ...(deprecated !== undefined && { deprecated }),
  from: Object.fromEntries(Object.entries(from).map(([fact, { source, asOf }]) => [fact, { source, asOf }])),
});

const readWanted = (text: string | undefined): readonly Capability[] => {
  if (text === undefined) return [];
  const { wanted, unknown } = readCapabilities(text);
  if (unknown !== undefined)
    throw usageFailure(
      `There is no capability "${unknown}".`,
      suggestName(unknown, capabilities, `Use ${capabilities.join(', ')}.`),
    );
  return wanted;
};

/** Returns the facts of a provider's models. For a saved provider, these are its own facts, or else those of its kind. */
const ofProvider = ({ facts, providers, kinds }: KnownModels, name: string | undefined): readonly ModelFacts[] => {
  if (name === undefined) return facts;
  const id = providers.get(name);
  if (id === undefined)
    throw usageFailure(`There is no provider "${name}".`, nearestProviderHint(name, providers.keys()));
  const own = facts.filter(({ provider }) => provider === id);
  const kind = kinds.get(id);
  return own.length > 0 || kind === undefined ? own : facts.filter(({ provider }) => provider === kind);
};

/**
 * Returns a function that checks whether a name matches a part: `claude` matches anywhere in the name, `claude*` and `*mini` at
 * one end.
 */
const toSearch = (part: string): ((name: string) => boolean) => {
  const sought = part.replace(/^\*|\*$/g, '').toLowerCase();
  const [endsSo, beginsSo] = [part.startsWith('*'), part.endsWith('*')];
  if (endsSo === beginsSo) return (name) => name.toLowerCase().includes(sought);
  return (name) => (endsSo ? name.toLowerCase().endsWith(sought) : name.toLowerCase().startsWith(sought));
};

const namesOf = ({ model, aliases }: ModelFacts): readonly string[] => [model, ...aliases];

/** Returns the models with a name, or else those whose names contain it; at least one. */
const named = (
  all: readonly ModelFacts[],
  name: string,
): { readonly found: readonly ModelFacts[]; readonly isWhole: boolean } => {
  const whole = all.filter((facts) => namesOf(facts).includes(name));
  if (whole.length > 0) return { found: whole, isWhole: true };
  const isFound = toSearch(name);
  const found = all.filter((facts) => namesOf(facts).some(isFound));
  if (found.length > 0) return { found, isWhole: false };
  const today = toDay(Date.now());
  const known = all.filter((facts) => !isRetired(facts, today)).flatMap(namesOf);
  throw usageFailure(
    `Nothing is known about a model "${name}".`,
    suggestName(name, known, 'Run gw models to list all.'),
  );
};

/** Sorts models that a provider may already refuse to the end. */
const retiredLast = (all: readonly ModelFacts[]): readonly ModelFacts[] => {
  const today = toDay(Date.now());
  const isPast = (facts: ModelFacts): boolean => isRetired(facts, today);
  return [...all.filter((facts) => !isPast(facts)), ...all.filter(isPast)];
};

/** Models that a list by capabilities omits may have them nevertheless, if nothing is stated about them. */
const unstated =
  'gw: A model that is not listed may support it too, if nothing is known about it. gw providers kinds NAME lists the operations of a provider.\n';

/** Prices in a store are not queried, because a model has different ones for each integration. */
const storedPrices =
  'gw: An integration in the store may state other prices, which take precedence. Show them: gw integrations models SLUG --format json\n';

/** Describes what to do if nothing is known of a provider's models. A refresh takes the name as it was given. */
const nothingKnown = (provider: string): string =>
  `gw: Nothing is known about the models of ${provider}. Run gw models refresh --provider ${provider} to read the list of a server that the gateway file or its configs name, or state them in "model_facts" of the gateway file.`;

const list: Run = (services, argv) =>
  withArguments(services, spec, argv, async ({ values, positionals: [name] }) => {
    const wanted = readWanted(findFlagText(values.capabilities));
    const known = await services.modelFacts(findFlagText(values.config));
    const provider = findFlagText(values.provider);
    const ours = ofProvider(known, provider);
    if (provider !== undefined && name === undefined && ours.length === 0 && values.format !== 'json') {
      services.err.write(printableText(nothingKnown(provider)));
      return 0;
    }
    const { found, isWhole } = name === undefined ? { found: ours, isWhole: false } : named(ours, name);
    const asked = isWhole ? found : retiredLast(found);
    const able = asked.filter((facts) => wanted.every((each) => facts.capabilities.includes(each)));
    const priced = isWhole
      ? await Promise.all(able.map(async (facts) => ({ facts, prices: await known.findPrices(facts) })))
      : able.map((facts) => ({ facts }));
    const { out, err } = services;
    if (isWhole && (known.hasStore || (await isGatewaySet(services, {})))) err.write(storedPrices);
    if (values.format === 'json') out.write(jsonOutput({ data: priced.map(factsJson) }));
    else if (isWhole) out.write(priced.map(factLines).join('\n'));
    else if (able.length > 0) out.write(printableText(table(able, services.columns)));
    else err.write(`gw: No model is known to support all of these: ${wanted.join(', ')}.\n`);
    if (wanted.length > 0 && values.format !== 'json') err.write(unstated);
    return 0;
  });

const refreshSpec: CommandSpec = {
  name: 'gw models refresh',
  summary: 'Reads the lists of models of the providers that the gateway file and its configs have credentials for.',
  positionals: '',
  takes: { min: 0, max: 0 },
  options: {
    provider: { type: 'string', value: 'ID', describe: 'Only the list of this provider, or of a saved one as @slug.' },
    config: { type: 'string', value: 'FILE', describe: 'The gateway file; gateway.json by default.' },
  },
  notes: [
    'The lists are written beside the gateway file, as gateway.models.json. Lists of other providers stay unchanged. Keep the',
    'file with the gateway file. It has no secrets.',
    '',
    'Exit code: 0 all lists were read; 1 a list could not be read, or there was none; 2 the command cannot be run.',
    '',
  ].join('\n'),
  examples: ['gw models refresh --provider @openai'],
};

/** `gw models` and `gw models refresh`. */
export const modelsTree: CommandTree = { spec, commands: { refresh: { spec: refreshSpec } } };

const refresh: Run = (services, argv) =>
  withArguments(services, refreshSpec, argv, async ({ values }): Promise<ExitCode> => {
    const { outcomes, left, gatewayFile, file } = await services.refreshModels({
      gatewayFile: findFlagText(values.config),
      provider: findFlagText(values.provider),
    });
    const { out, err } = services;
    // Without files, the command checks the gateway file and the configs that it names.
    const check = `gw check --config ${gatewayFile}`;
    for (const name of left)
      err.write(printableText(`gw: ${name} was skipped, because it has errors. Find them with ${check}.`));
    for (const outcome of outcomes) {
      const { provider } = outcome;
      if (outcome.kind === 'read') out.write(printableText(`${provider}: ${formatNumber(outcome.count)} models`));
      else err.write(printableText(`gw: ${provider} was not read. ${outcome.why}`));
    }
    const isRead = outcomes.some(({ kind }) => kind === 'read');
    if (isRead) out.write(printableText(`Written to ${file}.`));
    else err.write('gw: No list was read, and nothing was written.\n');
    return isRead && outcomes.every(({ kind }) => kind !== 'failed') ? 0 : 1;
  });

/** `gw models [NAME]` and `gw models refresh`. */
export const models: Run = withFailures(async (services: ControlServices, [first, ...rest]) =>
  first === 'refresh' ? refresh(services, rest) : list(services, first === undefined ? [] : [first, ...rest]),
);
