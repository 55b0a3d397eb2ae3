import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { run } from './children.mjs';

/** The measuring machine, in words. */
export async function machine(binary, programs, isShort) {
  const memory = Math.round(totalmem() / 2 ** 30);
  const cores = cpus();
  return {
    day: new Date().toISOString().slice(0, 10),
    description: `${cores.length} cores (${cores[0].model.trim()}), ${memory} GiB of memory, ${system()}`,
    programs: await versions(binary, programs),
    short: isShort,
  };
}

function system() {
  const kernel = `${type()} ${release()}`;
  try {
    const name = /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
    return name ? `${name} (${kernel})` : kernel;
  } catch {
    return kernel;
  }
}

async function versions(binary, programs) {
  const asked = [run(binary, ['--version'])];
  if (programs.pgbench !== null) {
    asked.push(run(programs.pgbench, ['--version']));
  }
  if (programs['nats-server'] !== null) {
    asked.push(run(programs['nats-server'], ['--version']));
  }
  if (programs.nchan !== null) {
    asked.push(run('dpkg-query', ['--show', '--showformat', 'nginx-nchan ${Version}', 'libnginx-mod-nchan']));
  }
  const said = await Promise.allSettled(asked);
  return said.filter(({ status }) => status === 'fulfilled').map(({ value }) => value.trim().split('\n')[0]);
}
