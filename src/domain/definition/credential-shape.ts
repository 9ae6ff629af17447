/** Names whose whole value is a connection string with a password in it. */
const CONNECTION_NAMES: ReadonlySet<string> = new Set([
  "AMQP_URL",
  "AZURE_STORAGE_CONNECTION_STRING",
  "CLOUDAMQP_URL",
  "CONNECTION_STRING",
  "DATABASE_URI",
  "DATABASE_URL",
  "DB_CONNECTION_STRING",
  "DB_URI",
  "DB_URL",
  "ELASTICSEARCH_URL",
  "MARIADB_URL",
  "MONGODB_CONNECTION_STRING",
  "MONGODB_URI",
  "MONGODB_URL",
  "MONGO_URI",
  "MONGO_URL",
  "MSSQL_URL",
  "MYSQL_URI",
  "MYSQL_URL",
  "NEON_DATABASE_URL",
  "PG_CONNECTION_STRING",
  "PG_URL",
  "POSTGRESQL_URL",
  "POSTGRES_CONNECTION_STRING",
  "POSTGRES_URI",
  "POSTGRES_URL",
  "RABBITMQ_URL",
  "REDIS_TLS_URL",
  "REDIS_URI",
  "REDIS_URL",
  "SENTRY_DSN",
  "SUPABASE_DB_URL",
]);

const CREDENTIAL_SEGMENTS: ReadonlySet<string> = new Set([
  "TOKEN",
  "SECRET",
  "PASSWORD",
  "PASSWD",
  "PWD",
  "PASSPHRASE",
  "KEY",
  "APIKEY",
  "AUTH",
  "AUTHORIZATION",
  "CREDENTIAL",
  "CREDENTIALS",
  "PAT",
  "COOKIE",
  "PRIVATE",
  "DSN",
  "BEARER",
  "JWT",
]);

const CREDENTIAL_ENDINGS = /(?:TOKEN|SECRET|PASSWORD|APIKEY|ACCESSKEY|PRIVATEKEY|CONNECTIONSTRING)$/;

/** Every credential name has one of these in it; most names have none, and need no closer look. */
const ANY_SIGN = /TOKEN|SECRET|PASS|PWD|KEY|AUTH|CREDENTIAL|PAT|COOKIE|PRIVATE|DSN|BEARER|JWT|CONN|UR[IL]/;

const NO_NAME_SIGN = /[^A-Z0-9]+/;

/** The shell's own working directories, which only look like a password. */
const WORKING_DIRECTORIES: ReadonlySet<string> = new Set(["PWD", "OLDPWD"]);

/** Names that look like credentials and say what is run: their values have to be covered by an approval. */
const PROGRAM_NAMES = /^(?:GIT_CONFIG_KEY_\d+|CARGO_[A-Z0-9_]*CREDENTIAL_PROVIDERS?)$/;

/**
 * Tells whether a variable, environment key or header of this name holds a credential (D10).
 *
 * It decides what the fingerprint leaves out, so it is narrow on purpose: calling a harmless name a
 * credential would hide a changed value from the approver.
 */
export function isCredentialName(name: string): boolean {
  const upper = name.toUpperCase();
  if (!ANY_SIGN.test(upper)) return false;
  if (WORKING_DIRECTORIES.has(upper) || PROGRAM_NAMES.test(upper)) return false;
  if (CONNECTION_NAMES.has(upper)) return true;
  // `connectionString` is two humps, and a credential only as the one word that they make.
  if (upper.split(NO_NAME_SIGN).some((segment) => CREDENTIAL_ENDINGS.test(segment))) return true;
  // Camel humps are cut before the case is lost: `accessToken` is ACCESS and TOKEN.
  const humps = name.replace(/([a-z])(?=[A-Z])/g, "$1_").toUpperCase();
  return humps.split(NO_NAME_SIGN).some((segment) => CREDENTIAL_SEGMENTS.has(segment));
}
