import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROC_SELF_STAT } from './processes.mjs';

const POSTGRES = '/usr/lib/postgresql';
/** The wrapper of postgresql-client-common, to which commands on the path link. It calls a program in `POSTGRES`. */
const WRAPPER = '/usr/share/postgresql-common/pg_wrapper';
const NCHAN = '/usr/lib/nginx/modules/ngx_nchan_module.so';
const NATS = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'];

/** The programs to compare with or to query, with their paths; `null` for missing ones. */
export function findPrograms() {
  return {
    pgbench: findPgbench(),
    nginx: firstOf([process.env.NGINX, '/usr/sbin/nginx']),
    nchan: firstOf([NCHAN]),
    'nats-server': firstOf([process.env.NATS_SERVER, ...NATS]),
    '/proc': firstOf([PROC_SELF_STAT]),
  };
}

/**
 * Debian's newest, otherwise the one on the path. Debian's wrapper on the path does not count, whether or not it finds
 * a program.
 */
function findPgbench() {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).sort((one, other) => Number(other) - Number(one)) : [];
  const ofDebian = firstOf(versions.map((version) => join(POSTGRES, version, 'bin', 'pgbench')));
  const isElsewhere = !existsSync(WRAPPER) && spawnSync('pgbench', ['--version']).status === 0;
  return ofDebian ?? (isElsewhere ? 'pgbench' : null);
}

function firstOf(places) {
  return places.find((place) => place && existsSync(place)) ?? null;
}

/** The reason why something cannot be measured without these programs, or `null`. */
export function missingFor(programs, needs) {
  const missing = needs.filter((name) => programs[name] === null);
  return missing.length === 0 ? null : `${missing.join(' and ')} could not be found or installed here`;
}

/** The reason why this machine cannot hold this many connections, or `null`: each is an open file, on either side. */
export function missingFiles(wanted) {
  const limit = process.report.getReport().userLimits.open_files.soft;
  const isEnough = limit === 'unlimited' || Number(limit) >= wanted;
  return isEnough ? null : `${wanted} files would have to be open, and the system allows ${limit}`;
}
