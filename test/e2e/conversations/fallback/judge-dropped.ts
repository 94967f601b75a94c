import { readService, type Service, type ServiceId } from '../services.ts';
import type { Tongue } from '../tongues/tongue.ts';

const speaks: Readonly<Record<ServiceId, readonly string[]>> = {
  vertex: ['gemini'],
  google: ['gemini'],
  anthropic: ['messages'],
  openai: ['chat', 'responses'],
  compatible: ['chat'],
  bedrock: ['converse'],
};

/** The services without cache hints. */
const hintless: readonly ServiceId[] = ['vertex', 'google', 'openai'];

export interface Served {
  readonly tongue: Tongue;
  readonly service: Service;
  /** The services that answered before, and those of them that showed their thoughts. */
  readonly served: readonly ServiceId[];
  readonly thinkers: readonly ServiceId[];
}

const expectIn = (dropped: string, member: RegExp, isLost: boolean): readonly string[] =>
  member.test(dropped) === isLost ? [] : [`${member} ${isLost ? 'is missing' : 'is too much'} in "${dropped}".`];

/** Checks the header that names what a request lost, and returns the errors. */
export const judgeDropped = (dropped: string, { tongue, service, served, thinkers }: Served): readonly string[] => {
  const isForeign = (id: ServiceId): boolean => readService(id).maker !== service.maker;
  if (speaks[service.id].includes(tongue.dialect))
    return served.some(isForeign) || dropped === '' ? [] : [`"${dropped}" was dropped in its own dialect.`];
  const keepsThoughts = tongue.keepsSignatures || tongue.dialect !== 'chat';
  const isThoughtLost = keepsThoughts && thinkers.some(isForeign);
  return [
    ...(isThoughtLost ? expectIn(dropped, /parts\S*\.reasoning/, true) : []),
    ...expectIn(dropped, /parts\S*\.media/, true),
    ...expectIn(dropped, /\.cache/, tongue.caches && hintless.includes(service.id)),
  ];
};
