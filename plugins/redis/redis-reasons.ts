/** Why a Redis does not run commands, and what to do about it. */
export interface RedisReason {
  /** The reason as a part of a sentence, which contains nothing that Redis has sent. */
  readonly what: string;
  /** An instruction: a sentence without its full stop. */
  readonly remedy: string;
}

const isReplica = {
  what: 'READONLY: it is a replica, which accepts no writes',
  remedy: 'Name the primary server in the URL',
};

const isFull = {
  what: 'OOM: its memory is full',
  remedy: 'Raise its maxmemory, or remove what other programs keep in it',
};

const cannotSave = {
  what: 'MISCONF: it refuses writes because it cannot save its data',
  remedy: 'Find the reason in its log, such as a full disk',
};

const lacksReplicas = {
  what: 'NOREPLICAS: it has fewer replicas than its min-replicas-to-write',
  remedy: 'Start them, or lower that number',
};

const isLoading = {
  what: 'LOADING: it is still reading its data from its disk',
  remedy: 'Wait until it is ready',
};

export const notAllowed: RedisReason = {
  what: 'NOPERM: its user may not run all commands of the gateway, or not use its keys',
  remedy: 'Allow the user all commands on keys that match *gatewright:* (ACL SETUSER)',
};

const wantsPassword = 'Write the user and the password of the gateway into the URL';

const inCluster = {
  what: 'it is a node of a cluster that keeps the keys of the gateway elsewhere or not at all',
  remedy: 'Name a Redis that is not part of a cluster',
};

/** By how the error replies of Redis begin, and by their texts if all of them begin with ERR. */
const reasons: readonly (readonly [reply: RegExp, reason: RedisReason])[] = [
  [/^OOM\b/, isFull],
  [/^MISCONF\b/, cannotSave],
  [/^(?:READONLY|MASTERDOWN)\b/, isReplica],
  [/^NOREPLICAS\b/, lacksReplicas],
  [/^LOADING\b/, isLoading],
  [
    /^BUSY\b/,
    { what: 'BUSY: it has been running a script of another program for too long', remedy: 'End that with SCRIPT KILL' },
  ],
  [/^NOAUTH\b/, { what: 'NOAUTH: it requires a password', remedy: wantsPassword }],
  [/^WRONGPASS\b|^ERR invalid password/, { what: 'WRONGPASS: it refuses the password', remedy: wantsPassword }],
  [/^NOPERM\b|^ERR The user executing the script |^ERR ACL failure in script:/, notAllowed],
  [
    /^ERR max number of clients reached/,
    { what: 'it has as many connections as its maxclients allows', remedy: 'Raise that, or end other connections' },
  ],
  [/^(?:MOVED|CLUSTERDOWN)\b/, inCluster],
  [
    /^(?:ERR )?unknown (?:Redis )?command\b/i,
    {
      what: 'it does not know a command of the gateway',
      remedy: 'Upgrade it to version 6.2 or newer, and allow EVAL and EVALSHA',
    },
  ],
  [/DB index is out of range/, { what: 'it has no database of the number in the URL', remedy: 'Correct that number' }],
];

/**
 * The texts before the error reply of a command in a script: the client's if it was not ready yet, that of Redis before 7.0, and
 * another ERR if the script has rethrown it.
 */
const before = [
  /^Ready check failed: /,
  /^ERR Error running script \([^)]*\): (?:@?user_script: ?\d+: ?)*-?/,
  /^ERR (?=ERR |[A-Z]{4,} )/,
];

/** Finds out from an error of the client why Redis refused a command; returns undefined if it does not say. */
export const findRedisReason = (error: unknown): RedisReason | undefined => {
  if (!(error instanceof Error)) return undefined;
  if (error.cause !== undefined) return findRedisReason(error.cause);
  const reply = before.reduce((text, part) => text.replace(part, ''), error.message);
  return reasons.find(([begin]) => begin.test(reply))?.[1];
};

/** Finds out from the members of INFO why Redis will refuse writes; returns undefined if it will not. */
export const foreseeRefusal = (
  facts: Readonly<Record<string, string | undefined>>,
  { hasSnapshots }: { readonly hasSnapshots: boolean },
): RedisReason | undefined => {
  const { role, loading, maxmemory = '0', maxmemory_policy, used_memory = '0' } = facts;
  if (loading === '1') return isLoading;
  if (role === 'slave') return isReplica;
  if (maxmemory_policy === 'noeviction' && maxmemory !== '0' && Number(used_memory) > Number(maxmemory)) return isFull;
  const isFailing = facts.aof_last_write_status === 'err' || (hasSnapshots && facts.rdb_last_bgsave_status === 'err');
  return isFailing ? cannotSave : undefined;
};
