/** Why PostgreSQL refuses a connection or a statement, and what to do about it. */
export interface ConnectReason {
  /** A sentence. */
  readonly what: string;
  /** An instruction: another sentence. */
  readonly remedy: string;
}

/** The reason if no connection with TLS is possible, which has no SQLSTATE. */
export const tlsReason: ConnectReason = {
  what: 'The connection to PostgreSQL cannot be encrypted as the URL of the store requires.',
  remedy:
    'Name the server as in its certificate, and the certificate of its authority (?sslmode=verify-full&sslrootcert=PATH), or turn TLS on at the server (ssl = on).',
};

/** The instruction if nothing more exact is known. */
export const defaultRemedy = 'Check that PostgreSQL is running there and accepts this user.';

const silence: Pick<ConnectReason, 'remedy'> = {
  remedy: 'Check that PostgreSQL is running there, how busy it is, and whether a firewall drops its packets.',
};

/** The reasons that have no SQLSTATE, because the client library finds them, by the beginnings of its messages. */
export const clientReasons: readonly (readonly [message: RegExp, ConnectReason])[] = [
  [
    /^SASL: SCRAM-SERVER-FIRST-MESSAGE: client password/,
    {
      what: 'PostgreSQL requires a password, and the URL of the store has none.',
      remedy:
        'Add it after the user, postgres://USER:PASSWORD@HOST/DATABASE; @, /, ? and # in it are written %40, %2F, %3F and %23.',
    },
  ],
  [
    /^received invalid response/,
    {
      what: 'The server does not use the protocol of PostgreSQL.',
      remedy: 'Correct the host and the port in the URL of the store.',
    },
  ],
  [/^Query read timeout/, { what: 'PostgreSQL has not answered a statement in time.', ...silence }],
  [
    /^(?:timeout exp|timeout exceeded|Connection terminated due to connection timeout)/,
    { what: 'PostgreSQL has not accepted a connection in time.', ...silence },
  ],
  [
    /^(?:Connection terminated|Client (?:has encountered|was closed))/,
    {
      what: 'The connection to PostgreSQL has ended unexpectedly.',
      remedy: defaultRemedy,
    },
  ],
];

/**
 * The reason why a database with another encoding than UTF8, as PostgreSQL names it, cannot contain a store. A store in it is to be
 * moved.
 */
export const encodingReason = (
  encoding: string,
  { hasStore = false }: { readonly hasStore?: boolean } = {},
): ConnectReason => ({
  what: `The database has the encoding ${encoding}, and a store needs UTF8${hasStore ? ': texts with other characters cannot be saved' : ''}.`,
  remedy: `Create another one, CREATE DATABASE gatewright ENCODING 'UTF8' TEMPLATE template0, ${hasStore ? 'stop the gateways, copy the store into it with pg_dump and psql, ' : ''}and name it in the URL of the store. If the server refuses the encoding because of its locale, add LOCALE 'C'.`,
});

/** The reason if there is no schema in which tables would be created (3F000, invalid_schema_name). */
export const schemaReason: ConnectReason = {
  what: 'The search_path of the user names no schema that exists and that the user may use.',
  remedy:
    'Correct it, alter database NAME set search_path to public, or let the user use the schema: grant create, usage on schema public to USER.',
};

/** The reason if there can be no writes (25006), or not with the isolation level that they need (0A000, feature_not_supported). */
const onlyReads: ConnectReason = {
  what: 'The server accepts only reads: it is a standby, or its transactions are read-only.',
  remedy: 'Name the primary server in the URL of the store.',
};

/** By SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const connectReasons: Readonly<Record<string, ConnectReason>> = {
  '28P01': {
    what: 'PostgreSQL refuses the user or the password.',
    remedy:
      'Correct the user and the password in the URL of the store; in a password @, /, ? and # are written %40, %2F, %3F and %23.',
  },
  '28000': {
    what: 'PostgreSQL does not allow this user to connect from here.',
    remedy:
      'Correct the user in the URL of the store, or allow it in pg_hba.conf on the server. If the server requires TLS, add ?sslmode=verify-full to the URL.',
  },
  '3D000': {
    what: 'The server does not have the database.',
    remedy: 'Create it (createdb), or correct its name in the URL of the store.',
  },
  '53300': {
    what: 'The server accepts no further connection of this user.',
    remedy:
      'Raise max_connections, or the connection limit of the user or the database, or end other clients. A gateway opens up to 20.',
  },
  '0A000': onlyReads,
  '25006': onlyReads,
  '42501': {
    what: 'The user may not read and write all tables of the store.',
    remedy: 'Make this user the owner of the tables, or grant it select, insert, update and delete on them.',
  },
  '42P01': {
    what: 'A table of the store is missing.',
    remedy: 'Restore the database, or restart the gateway if the database is a new one that has no tables yet.',
  },
  '55P03': {
    what: 'Another connection locks a table for too long.',
    remedy: 'Find out in pg_locks and pg_stat_activity which one, or raise lock_timeout for this user.',
  },
  '53100': { what: 'The disk of the server is full.', remedy: 'Make room on it.' },
  '57014': {
    what: 'A statement took too long.',
    remedy: 'Find out in pg_stat_activity which connection it waited for, or what else the server is busy with.',
  },
  '57P03': { what: 'The server is starting or recovering.', remedy: 'Wait until it is ready.' },
};
