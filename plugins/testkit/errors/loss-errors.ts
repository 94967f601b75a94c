/** The members of a conversation and of an answer, in which all losses are. */
const members: ReadonlySet<string> = new Set([
  'answerFormat',
  'audio',
  'cacheKey',
  'choices',
  'created',
  'extensions',
  'id',
  'logprobs',
  'modalities',
  'model',
  'reasoning',
  'sampling',
  'serviceTier',
  'stream',
  'streamUsage',
  'system',
  'toolChoice',
  'tools',
  'turns',
  'usage',
  'user',
  'verbosity',
]);

/** The errors of declared losses: each names a member of a conversation or of an answer, once, and says why. */
export const lossErrors = (losses: readonly { readonly member: string; readonly why: string }[]): readonly string[] =>
  losses.flatMap(({ member, why }, at) => [
    ...(members.has(member.split('.', 1)[0] ?? '') && /^[\w-]+(?:\.[\w-]+)*$/.test(member)
      ? []
      : [`the loss "${member}" is no member of a conversation or of an answer`]),
    ...(losses.findIndex((each) => each.member === member) === at ? [] : [`the loss "${member}" is declared twice`]),
    ...(why === '' ? [`the loss "${member}" does not say why`] : []),
  ]);
