/** The members of a conversation and of an answer. Every loss is in one of them. */
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

/** Returns the errors in declared losses: each must name a member of a conversation or of an answer, once, and give a reason. */
export const lossErrors = (losses: readonly { readonly member: string; readonly why: string }[]): readonly string[] =>
  losses.flatMap(({ member, why }, at) => [
    ...(members.has(member.split('.', 1)[0] ?? '') && /^[\w-]+(?:\.[\w-]+)*$/.test(member)
      ? []
      : [`the loss "${member}" is not a member of a conversation or of an answer`]),
    ...(losses.findIndex((each) => each.member === member) === at ? [] : [`the loss "${member}" is declared twice`]),
    ...(why === '' ? [`the loss "${member}" does not say why`] : []),
  ]);
